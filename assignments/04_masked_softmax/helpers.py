"""What the lesson trains and measures. No answers in here: all attention is handed in from outside."""

import torch
from torch import nn

WORDS = ("猫", "犬", "鳥", "子", "が", "寝る", "走る", "鳴く", "笑う", "。")
FIRST_VERB = 5
LENGTH = 11  # tokens that a model reads at once: three sentences without their last full stop


def sentences(count, seed=0):
    """Lines of three sentences such as 猫が寝る。, as numbers: what is read and what comes next, both `(count, 11)`.

    Who does it and what is done are drawn at random, four of each, so nobody can know them beforehand.
    """
    draw = torch.Generator().manual_seed(seed)
    subjects = torch.randint(4, (count, 3, 1), generator=draw)
    verbs = torch.randint(4, (count, 3, 1), generator=draw) + FIRST_VERB
    particle, stop = torch.full_like(subjects, 4), torch.full_like(subjects, len(WORDS) - 1)
    tokens = torch.cat([subjects, particle, verbs, stop], dim=-1).flatten(1)  # (count, 12)
    return tokens[:, :-1], tokens[:, 1:]


class TinyModel(nn.Module):
    """One layer of attention between a table of words with learned positions and a guess of the next word.

    `attend(x, W_Q, W_K, W_V)` is how its tokens look at each other; it returns the output first.
    """

    def __init__(self, attend, width=64):
        super().__init__()
        self.attend = attend
        self.words = nn.Embedding(len(WORDS), width)
        self.positions = nn.Embedding(LENGTH, width)  # learned, one row for each place
        self.matrices = nn.ParameterList(0.1 * torch.randn(width, width) / width**0.5 for _ in range(3))
        self.guess = nn.Linear(width, len(WORDS))

    def forward(self, tokens):
        """Tokens `(B, T)` -> scores for the next word at each place, `(B, T, 10)`."""
        x = self.words(tokens) + self.positions.weight[: tokens.shape[1]]
        gathered = self.attend(x, *self.matrices)[0]
        return self.guess(x + gathered)


def trained(attend, steps=100, seed=0):
    """A model after its training, and its loss at each step, in nats per word."""
    torch.manual_seed(seed)
    model = TinyModel(attend)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for step in range(steps):
        loss = loss_of(model, *sentences(128, seed=step))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return model, losses


def loss_of(model, read, following):
    """How badly the model guesses what follows each place, when it is given whole lines."""
    return nn.functional.cross_entropy(model(read).flatten(0, 1), following.flatten())


def loss_while_writing(model, read, following):
    """The same when it is given only what has been written so far, place after place."""
    with torch.no_grad():
        guesses = [model(read[:, : place + 1])[:, -1] for place in range(read.shape[1])]
        return nn.functional.cross_entropy(torch.stack(guesses, dim=1).flatten(0, 1), following.flatten()).item()


def bare_mha(width):
    """An `nn.MultiheadAttention` with one head whose projections change nothing: what goes in is Q, K and V."""
    mha = nn.MultiheadAttention(width, num_heads=1, bias=False, batch_first=True)
    with torch.no_grad():
        mha.in_proj_weight.copy_(torch.eye(width).repeat(3, 1))
        mha.out_proj.weight.copy_(torch.eye(width))
    return mha
