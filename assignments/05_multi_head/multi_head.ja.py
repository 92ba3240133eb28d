# ---
# jupyter:
#   attn:
#     assignment: 05_multi_head
#     version: 1
#     language: ja
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # 一つの単語が、同時に二つのものを見るには
#
# 「猫が魚を見た。それは逃げた。」この文を読んで「それ」まで来たとき、頭の中では二つのことが同時に起きています。一つは、すぐ前の言葉とのつながりを追うこと。もう一つは、「それ」が指していそうなものを前のほうまで探しに行くことです。猫でしょうか、魚でしょうか。これまでのアテンションでは、単語ごとに重みが一組あり、その和は 1 でした。**半分を隣の言葉に、半分を名詞に配れば、全部が少しずつ混ざった一つのベクトルになってしまいます。問いを二つ立てて、答えを別々に受け取るには、どうすればよいでしょうか。**
#
# このレッスンを終えると、次のことができるようになります。
#
# * トークンどうしを混ぜることなく、特徴をヘッドに分け、また元どおりに並べられる
# * 一つのヘッドに何が見えるのか、W_O は何のためにあるのか、ヘッドは多いほどよいわけではないのはなぜかを説明できる
# * ヘッドを一つずつ外してみて、どれが働いているのかを確かめられる
# * PyTorch の `nn.MultiheadAttention` を、その重みを使って 100 万分の 1 の誤差で再現できる
#
# 使うのは、03 のアテンション、04 のマスク、そして「`nn.Linear` は行列をどの向きで持っているか」という 02 の知識です。
#
# セルは上から順に実行してください。解答セルには、何を作るのかが書いてあります。エラーを起こしている行を自分のコードに置き換え、実行してから、すぐ下のチェックを実行します。日を改めて続けるときは、もう一度いちばん上から実行しましょう。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import matplotlib.pyplot as plt
import torch
from torch import Tensor, nn
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

check, ask = lesson("05_multi_head", language="ja")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. トークンをヘッドに分ける
#
# 考え方は単純です。射影したトークンには `d_model` 個の特徴があります。これを `H` 個のヘッドに配ります。最初の `d_k` 個はヘッド 0 に、次の `d_k` 個はヘッド 1 に、という具合です。ここで `d_k = d_model / H` です。するとどのヘッドも、**すべてのトークンの一部分ずつ**を持ち、ほかのヘッドなど存在しないかのように、その部分だけで注意を配ります（重みを計算し、バリューを混ぜます）。
#
# ヘッドには専用の軸を用意し、トークンの軸の前に置きます。`(B, T, d_model)` が `(B, H, T, d_k)` になります。アテンションが使うのは最後の二つの軸で、その前にある軸の分だけ同じ計算が繰り返されます。「並列に」と言われるのはこのことで、ループは要りません。
#
# **予想しよう。** 次のセルを実行すると、二つの数について質問されます。`...` の代わりに予想を書いておき、関数ができたらもう一度実行しましょう。予想と結果が比べられます。

# %%
ask("which_piece", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "split_heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """各トークンの特徴をヘッドに分けます。

    x (B, T, d_model)、num_heads -> (B, num_heads, T, d_k)。d_k = d_model / num_heads です。
    ヘッド 0 には各トークンの最初の d_k 個の特徴、ヘッド 1 には次の d_k 個、と続きます。
    num_heads が 1 より小さいときや、d_model を割り切らないときは ValueError です。

    split_heads(torch.tensor([[[1., 2., 3., 4.], [5., 6., 7., 8.]]]), 2)
    -> [[[[1., 2.], [5., 6.]], [[3., 4.], [7., 8.]]]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-split_heads", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(split_heads)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-split_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **形が合っていても、切り方が合っているとは限りません。** `reshape` や `view` は、軸の意味を考えません。軸の順に一行ずつ数を読み、改行の位置を変えるだけです。`(B, H, T, d_k)` を頼めばその形のものが返りますが、中には別々のトークンの断片が詰まっています。この間違いが何年も残っていたライブラリもあります。それでも学習は進み、ただ性能が落ちるだけだからです。
#
# **見てみよう、壊してみよう。** 次の表では、トークンの特徴をすべて、そのトークンの番号にしてあります。左があなたの関数、右は形だけを合わせて切ったものです。「ヘッド 0、が」の行を、左右で見比べてください。ヘッドに入っているのは、誰の数でしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-pieces_of_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
tokens = "猫 / が / 寝る".split(" / ")
# Every feature holds the number of its token: (1, 3, 4).
owner = torch.arange(1, 4)[:, None].expand(3, 4)[None]
yours = split_heads(owner, 2)[0]  # (2, 3, 2)
cut_to_shape = owner.reshape(1, 2, 3, 2)[0]  # (2, 3, 2) as well
rows = ["ヘッド" + f" {head}, {token}" for head in range(2) for token in tokens]
columns = ["あなたの関数"] * 2 + ["形だけ"] * 2
title = "それぞれのヘッドに入っているのは誰の数か（1 = 猫、2 = が、3 = 寝る）"
heatmap(torch.cat([yours, cut_to_shape], dim=-1).reshape(6, 4), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-pieces_of_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. また横に並べる
#
# ヘッドの仕事が済んだら、トークンごとに各ヘッドの分を 1 行に並べます。まずヘッド 0 の分、続いてヘッド 1 の分です。
#
# **予想しよう。** ヘッドが二つ、トークンが 2 個、特徴は一つずつです。まとめると、2 番目のトークンはどうなるでしょうか。

# %%
ask("merged_token", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-merged_token", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **予想しよう。** 途中の一歩について PyTorch が文句を言うことがあり、ほとんどの人がここで出会います。先に考えておきましょう。

# %%
ask("view_error", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "merge_heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def merge_heads(x: Tensor) -> Tensor:
    """ヘッドに分かれた各トークンの特徴を、元どおり横に並べます。

    x (B, H, T, d_k) -> (B, T, H * d_k)。
    トークンの最初の d_k 個がヘッド 0 の特徴、次の d_k 個がヘッド 1 の特徴、と続きます。

    merge_heads(torch.tensor([[[[1., 2.], [5., 6.]], [[3., 4.], [7., 8.]]]]))
    -> [[[1., 2., 3., 4.], [5., 6., 7., 8.]]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-merge_heads", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(merge_heads)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-merge_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** 今度は、特徴がどのヘッドから来たかを数で表しています。どの行も同じになるはずです。1 行が一つのトークンで、すべてのヘッドがその一部を受け持つからです。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-merged_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Every number is that of its head: (1, 2, 3, 2).
numbered = torch.arange(2)[:, None, None].expand(2, 3, 2)[None]
columns = ["特徴" + f" {number}" for number in range(4)]
title = "まとめたトークン：数は、その特徴がどのヘッドから来たか"
heatmap(merge_heads(numbered)[0], tokens, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-merged_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 分けて、まとめて、元の x に戻るかを見る。自然な確かめ方です。先ほどの間違った切り方で分け、同じくらい間違ったやり方でまとめてみます。結果は `True` と `False` のどちらだと思いますか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-round_trip", "locked": true, "schema_version": 3, "solution": false, "task": false}
x = torch.arange(12).reshape(1, 3, 4)
cut_and_cut_back = x.reshape(1, 2, 3, 2).reshape(1, 3, 4)
print("形だけで切り、また切り直すと x に戻るか：", torch.equal(cut_and_cut_back, x))

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-round_trip", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **行って戻るだけでは、あまり証拠になりません。** 互いに打ち消し合う間違いは、この試し方を通り抜けます。**トークンを一つだけ**変えて、どこが動くかを見るほうが確かです。動いてよいのは、どのヘッドでもちょうど 1 行です。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-round_trip-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. ヘッドごとに注意を配る
#
# いよいよ全体です。トークンを射影し、クエリ、キー、バリューを分け、ヘッドごとに注意を配り、まとめて、W_O を掛けます。書く前に、三つのことを決めておきましょう。そのうち二つは、予想してみてください。
#
# **予想しよう：スケール。** スコアは平方根で割ります。足し合わせる積の数が増えても、スコアが大きくならないようにするためです。

# %%
ask("divisor", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-divisor", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **予想しよう：マスク。** この教材ではいつも、`nn.MultiheadAttention` と同じく `True` が「隠す」です。PyTorch の `F.scaled_dot_product_attention` では逆に「見てよい」になります。スコアの軸は `(B, H, T, T)` の四つになりました。関数は、PyTorch の規則でこれに合うマスクなら何でも受け取ります。軸は**右から順に**比べられ、足りない軸は左に補われます。レッスン 04 のパディングのマスクは `(B, 1, n_k)` という形でした。実行する前に考えてみてください。

# %%
ask("mask_axis", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-mask_axis", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **何も見えない行。** 見るものが一つもないトークンは、どのヘッドでも重みと出力が 0 になり、勾配にも NaN は出ません。これに耐えるソフトマックスは、レッスン 04 で書きました。それを解答セルに持ってきても、`torch.softmax` を使って数行で書き直してもかまいません。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "multi_head_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multi_head_attention(
    x: Tensor,
    W_Q: Tensor,
    W_K: Tensor,
    W_V: Tensor,
    W_O: Tensor,
    num_heads: int,
    mask: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """マルチヘッドの自己アテンション。各ヘッドが別々に注意を配り、W_O がヘッドを組み合わせます。

    x (B, T, d_model)、W_Q、W_K、W_V、W_O はすべて (d_model, d_model) で、x @ W_Q のように使います
    -> (出力 (B, T, d_model), 重み (B, H, T, T))。
    mask は bool で True が「隠す」、(B, H, T, T) に合わせてブロードキャストされます。
    隠れたキーの重みはちょうど 0 です。何も見えないトークンは、重みも出力も 0 になります。
    num_heads が 1 より小さいときや、d_model を割り切らないときは ValueError です。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-multi_head_attention", "locked": true, "points": 6.0, "schema_version": 3, "solution": false, "task": false}
check(multi_head_attention)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-multi_head_attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### 二つの問いを同時に
#
# **見てみよう。** 二つの問いが立つ文を用意しました。各トークンの特徴は「どこにあるか」と「どんな種類の語か」を表し、ヘッド 0 は場所を、ヘッド 1 は種類を比べます。学習はしていません。行列は手で書いたものです。二つの表で「それ」の行を探してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-two_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
sentence = "猫 / が / 魚 / を / 見た / それ / は"
words = sentence.split(" / ")
short = [word.split(" ")[0] for word in words]
names = {"row_name": "見る側（クエリ）", "column_name": "見られる側（キー）"}
noun, particle, verb, pronoun = range(4)
kinds = [noun, particle, noun, particle, verb, pronoun, particle]
places = torch.eye(7)
# Where a word stands, and what kind of word it is: (1, 7, 14).
x = torch.cat([places, places[kinds]], dim=-1)[None]
previous_place = places.roll(-1, dims=1)  # place i asks for place i - 1
previous_place[0] = places[0]
wanted_kind = torch.zeros(7, 7)
for asks, wants in [(noun, noun), (particle, noun), (verb, particle), (pronoun, noun)]:
    wanted_kind[asks, wants] = 1.0
W_Q = 12 * torch.block_diag(previous_place, wanted_kind)  # head 0 asks by place, head 1 by kind
W_K = W_V = W_O = torch.eye(14)
_, two_maps = multi_head_attention(x, W_Q, W_K, W_V, W_O, 2)
title = "場所を比べるヘッド 0 の重み"
heatmap(two_maps[0, 0], words, short, title=title, **names)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-second_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
title = "語の種類を比べるヘッド 1 の重み"
heatmap(two_maps[0, 1], words, short, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-second_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
# どちらの表も、ひとことで説明できます。
#
# **壊してみよう（その一）。** では、同じトークンと同じ行列のまま、幅が 2 倍のヘッドを一つだけにしてみます。実行する前に考えましょう。「それ」はどの語を見るでしょうか。すぐ前の語と名詞の**両方**を、まだ手に入れられるでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-one_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
_, single = multi_head_attention(x, W_Q, W_K, W_V, W_O, 1)
title = "同じ行列でヘッドが 1 つの場合：二つの比較が一つのソフトマックスを分け合う"
heatmap(single[0, 0], words, short, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ヘッドが一つだと、二種類のスコアはソフトマックスの前に足し合わされ、二つの問いが、和が 1 の重みを一組だけ分け合うことになります。ヘッドが分かれていれば、それぞれにソフトマックスがあり、和が 1 の重みを一組ずつ配れます。これがヘッドを増やす意味です。
#
# > **ヘッドは部分空間であって、小さなモデルではありません。** ヘッドに見えるのは、W_Q、W_K、W_V のうち自分の列が計算した特徴です。そしてその列は、トークンの**すべての**特徴を読んでいます。何を探すかは誰も教えません。学習が決めるもので、名前の付けようがないことも多いのです。
#
# ### W_O の役目
#
# まとめた段階では、各ヘッドの結果は横に並んでいるだけで、ヘッド 0 の数とヘッド 1 の数はまだ一度も出会っていません。
#
# **壊してみよう（その二）。** ヘッドを一つずつ選んでバリューを変え、出力のどの特徴が動くかを測ります。上半分は W_O が何もしない場合（単位行列）、下半分は普通の行列の場合です。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-who_reaches_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(6)
x = torch.randn(3, 4, 6)
W_Q, W_K, W_V, mixing = (torch.randn(6, 6) / 2 for _ in range(4))
reached = []
for W_O in (torch.eye(6), mixing):
    before, _ = multi_head_attention(x, W_Q, W_K, W_V, W_O, 3)
    changed = []
    for head in range(3):
        other_values = W_V.clone()
        other_values[:, 2 * head : 2 * head + 2] += 1.0
        after, _ = multi_head_attention(x, W_Q, W_K, other_values, W_O, 3)
        changed.append((after - before).abs().amax(dim=(0, 1)).reshape(3, 2).amax(dim=-1))
    reached.append(torch.stack(changed))
change = "バリューを変えたヘッド"
kinds_of_mixing = ("W_O なし", "W_O あり")
rows = [f"{mixed}, {change} {head}" for mixed in kinds_of_mixing for head in range(3)]
columns = ["特徴" + f" {block}" for block in ("0-1", "2-3", "4-5")]
title = "出力の特徴が 2 つずつどれだけ動くか"
heatmap(torch.cat(reached), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-who_reaches_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
# W_O がなければ、ヘッドはいつまでも自分の列にしか書き込めません。W_O は全部を読み、次の層に何を見せるかを決めます。
#
# ### ヘッドに当たってしまうマスク
#
# **壊してみよう（その三）。** 文が三つ、ヘッドが三つあり、パディングで終わるのは文 0 だけです。表の上半分はマスクを `mask[:, None]` として渡し、ヘッドの軸を持つ `(B, 1, 1, n_k)` にしたもの。下半分は `(B, 1, n_k)` のまま渡したものです。数は、最後のトークンが受け取る重みです。0 はどこに並ぶべきで、実際にはどこに並んでいますか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-mask_on_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(5)
padded = torch.zeros(3, 1, 4, dtype=torch.bool)  # (B, 1, n_k): three sentences
padded[0, :, 3] = True  # only sentence 0 ends with padding
x, matrices = torch.randn(3, 4, 6), [torch.randn(6, 6) / 2 for _ in range(4)]
on_last_token = []
for mask in (padded[:, None], padded):
    _, weights = multi_head_attention(x, *matrices, 3, mask=mask)
    on_last_token.append(weights[..., 3].mean(dim=-1))  # (B, H): what the last token gets
sentence = "文"
passed = ["mask[:, None]", "mask"]
rows = [f"{how}, {sentence} {number}" for how in passed for number in range(3)]
columns = ["ヘッド" + f" {number}" for number in range(3)]
title = "各文の最後のトークンが受け取る重み（パディングで終わるのは文 0 だけ）"
heatmap(torch.cat(on_last_token), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-mask_on_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **マスクは、音も立てずに違う軸に当たることがあります。** 右から比べると、`(B, 1, n_k)` の B はヘッドの軸と重なります。文が二つでヘッドが三つならエラーになり、気づけます。ところが文とヘッドの数が同じだと合ってしまい、ヘッド 0 が、**すべての文で**文 0 のパディングを隠します。ですから、B と H の違う例で試し、`mask[:, None]` と書きましょう。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-mask_on_heads-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. 層にする
#
# 自分の重みを持つ層では、`W_Q`、`W_K`、`W_V`、`W_O` という名前も課題の一部です。関数では `(in, out)` の行列でしたが、ここでは `nn.Linear` です。`nn.Linear` は重みを逆の向きに持ち、バイアスを足すこともあります。
#
# **予想しよう。** `d_model = 12` でバイアスなしのとき、ヘッドが 1、3、6 個だと、学習する数はそれぞれいくつになりますか。三つの数のリストで答えてください。

# %%
ask("parameters_of_heads", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "MultiHeadAttention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttention(nn.Module):
    """同じものを、自分の重みを持つ層にします。

    d_model から d_model への nn.Linear を四つ、W_Q、W_K、W_V、W_O という名前で持ちます。
    `bias` は、四つすべてについてバイアスの有無を決めます。
    forward(x, mask=None)、x (B, T, d_model)、mask は上と同じ
    -> (出力 (B, T, d_model), 重み (B, H, T, T))。重みはヘッドごとに返します。
    ヘッドの数が d_model を割り切らなければ、作るときに ValueError になります。
    """

    def __init__(self, d_model: int, num_heads: int, bias: bool = False) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-MultiHeadAttention", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(MultiHeadAttention)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-MultiHeadAttention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### ヘッドはいくつがよいか
#
# **見てみよう。** ヘッドを増やしても学習する数（パラメータ）が増えないなら、できるだけ多くすればよさそうです。そこで、あなたの層を 6 回学習させます。幅はいつも 32 で、違うのはヘッドの数だけです。何が必要かがわかっている課題にしました。どの位置でも、一つ前、二つ前、三つ前の語について**同時に**答える、というものです（最初の語の前は最後の語とします）。あなたなら、ヘッドをいくつにしますか。考えてから実行してください。数秒かかります。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-how_many_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(0)
vocabulary, marks = torch.randn(12, 16), torch.randn(9, 16)


def sentences(count):
    words = torch.randint(0, 12, (count, 9))
    # A word and its place: (count, 9, 32).
    x = torch.cat([vocabulary[words], marks.expand(count, 9, 16)], dim=-1)
    # What is asked for: something of the word 1, 2 and 3 places back.
    part = vocabulary[words][..., :4]
    return x, torch.cat([part.roll(back, dims=1) for back in (1, 2, 3)], dim=-1)


def error(layer, x, wanted):
    return (layer(x)[0][..., :12] - wanted).square().mean()


def trained(num_heads):
    torch.manual_seed(1)
    layer = MultiHeadAttention(32, num_heads)
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.01)
    for _ in range(150):
        optimizer.zero_grad()
        error(layer, *sentences(24)).backward()
        optimizer.step()
    return layer


layers = {num_heads: trained(num_heads) for num_heads in (1, 2, 4, 8, 16, 32)}
torch.manual_seed(2)
test = sentences(256)
errors = [error(layer, *test).item() for layer in layers.values()]
figure, axes = plt.subplots(figsize=(6.5, 3.2))
axes.loglog(list(layers), errors, "o-")
axes.set_xticks(list(layers), [f"{num_heads}\n{32 // num_heads}" for num_heads in layers])
axes.minorticks_off()
axes.set_xlabel("ヘッドの数と、その下に各ヘッドの幅 d_k（d_model = 32）")
axes.set_ylabel("平均二乗誤差")
axes.grid()
picture(figure,
    "同じように学習した六つの層の誤差を、ヘッドの数に対して両対数で示した図。1 個から 4 個にかけて"
    "急に下がり、4 個から 8 個の辺りで最も低く、32 個に向かってまた上がる。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-how_many_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ヘッドが少なすぎると、三つの方向を別々に受け取れません。多すぎると、一つのヘッドに特徴がほとんど残りません。32 個なら `d_k` は 1 で、たった一つの数では、何を探しているのかをほとんど言い表せません。その間に、うまくいく広い範囲があります。それがどこになるかは、課題によって違います。
#
# ### ヘッドを外してみる
#
# **壊してみよう。** ヘッドが 8 個の層を使い、ヘッドを一つずつ止めて、同じ文での誤差を測ります。方向は三つ、ヘッドは八つです。どうなると思いますか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-without_each_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
layer = layers[8]


def without(heads):
    """The error of the layer when what these heads hand on is set to zero."""
    numbers = layer.W_O.weight.data  # what W_O reads of head h stands in the columns from 4 * h on
    kept = numbers.clone()
    for head in heads:
        numbers[:, 4 * head : 4 * head + 4] = 0.0
    damaged = error(layer, *test).item()
    numbers.copy_(kept)
    return damaged


removed = [without([head]) for head in range(8)]
figure, axes = plt.subplots(figsize=(6.5, 3.2))
axes.bar(range(8), removed)
axes.axhline(without([]), linestyle="--", color="#ff7f0e", label="すべてのヘッドがあるとき")
axes.set(xlabel="外したヘッド", ylabel="平均二乗誤差")
axes.legend()
picture(figure,
    "八つのヘッドについて、それを外したときの誤差を表す棒グラフ。高さは大きく違い、いくつかは高く、"
    "いくつかは、すべてのヘッドがあるときの誤差を示す破線とほとんど変わらない。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-without_each_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** 外してもよいヘッドはどれで、外せないのはどれでしょうか。それぞれのヘッドが平均してどこを見ているかを並べてみます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-where_heads_look", "locked": true, "schema_version": 3, "solution": false, "task": false}
_, weights = layer(test[0])
per_distance = [weights.diagonal(-back, 2, 3).mean(dim=(0, 2)) for back in range(4)]
looks = torch.stack(per_distance, dim=1).detach()  # (8, 4): heads, and how far back they look
rows = ["ヘッド" + f" {head}" for head in range(8)]
columns = ["自分", *("前へ" + f" {back}" for back in (1, 2, 3))]
title = "各ヘッドが、その距離にある語に与える重みの平均"
heatmap(looks, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-where_heads_look", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 三つの方向には、それぞれ主に受け持つヘッドがあり、それを外すと誤差が跳ね上がります。一方で、ほかのヘッドがすでに見ている所を見ていたり、あちこちを少しずつ見ていたりするヘッドもあります。重要でないものから順に外していくと、まとめていくつまで外せるでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-several_at_once", "locked": true, "schema_version": 3, "solution": false, "task": false}
order = sorted(range(8), key=lambda head: removed[head])
counts = list(range(8))
figure, axes = plt.subplots(figsize=(6.5, 3.2))
least_first = [without(order[:count]) for count in counts]
most_first = [without(order[::-1][:count]) for count in counts]
axes.plot(counts, least_first, "o-", label="重要でないものから外す")
axes.plot(counts, most_first, "s--", label="重要なものから外す")
axes.set(xlabel="外したヘッドの数", ylabel="平均二乗誤差")
axes.legend()
picture(figure,
    "外したヘッドの数に対する誤差の図。重要でないものから外すと、しばらくはゆっくりとしか上がらな"
    "い。重要なものから外すと、すぐに跳ね上がる。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-several_at_once", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 大きな翻訳モデルでも、同じことが見つかっています。学習を終えた後なら、層のヘッドの多くは、一つずつ外してもほとんど害がなく、外せないものはわずかでした（Michel, Levy, Neubig 2019）。だからといって、初めからそのヘッドなしで学習できたとは言えません。それに、ここで重要なヘッドが別の文では休んでいるかもしれません。測ったのは、**この**層を**この**データで使ったときのことだけです。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-several_at_once-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. PyTorch と同じ数にする
#
# `nn.MultiheadAttention` は、いま作ったものと同じ計算を、別の形にまとめたものです。`in_proj_weight` には、クエリ、キー、バリューの三つの行列が縦に並んでいて、どれも `nn.Linear` と同じ向きで入っています。`out_proj` は `nn.Linear` です。両方を理解していれば、数を一方からもう一方へ移せます。そうすれば、二つは同じ結果を返すはずです。
#
# 写すのは**数**です。パラメータはそれぞれの層のものを残し、後で片方が学習しても、もう片方に届かないようにします。勾配の記録中にパラメータを直接書き換えようとすると、PyTorch に止められます。「この処理は記録しない」と伝える方法があります。
#
# チェックでは、float32 の同じトークンを両方の層に渡します。バイアスも乱数で、0 ではありません。1 くらいの大きさの数に対して、出力と重みの差が 100 万分の 1（1e-6）より小さければ合格です。足す順番が違うだけなら差はその程度に収まり、間違いならもっと大きくなります。重みは、あなたの層の分をヘッドで平均してから比べます。
#
# **予想しよう。** なぜ平均するのでしょうか。PyTorch が何を返すのかを考えてみましょう。

# %%
ask("averaged_weights", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "copy_weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def copy_weights(mine: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    """MultiHeadAttention である `mine` に、nn.MultiheadAttention である `theirs` の数を写し、
    両方が同じ結果を返すようにします。大きさとバイアスの有無は同じです。

    theirs.in_proj_weight (3 * d_model, d_model) と theirs.in_proj_bias (3 * d_model,) には、
    クエリ、キー、バリューの分がこの順で縦に並んでいます。バイアスがなければ後者は None です。
    theirs.out_proj は nn.Linear です。
    数は `mine` のパラメータに入り、その後も学習できます。
    `theirs` は変わらず、後で `theirs` が変わっても `mine` には影響しません。

    すると mine(x) と theirs(x, x, x) は、バイアスが 0 でなくても、出力も、ヘッドで平均した重みも、
    100 万分の 1（1e-6、float32、1 くらいの数で）まで一致します。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-copy_weights", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(copy_weights)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-copy_weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** float32 で比べます。PyTorch が作ったままの層と、バイアスを乱数で埋めた後の層の二通りです。`True` は、差がすべて 100 万分の 1 より小さいことを表します。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-same_as_pytorch", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(7)
theirs, mine = nn.MultiheadAttention(12, 3, batch_first=True), MultiHeadAttention(12, 3, bias=True)
x = torch.randn(2, 5, 12)


def largest_differences():
    copy_weights(mine, theirs)
    output, weights = mine(x)
    their_output, averaged = theirs(x, x, x)
    _, per_head = theirs(x, x, x, average_attn_weights=False)
    pairs = [(output, their_output), (weights, per_head), (weights.mean(dim=1), averaged)]
    return [(one - other).abs().max().item() for one, other in pairs]


as_built = largest_differences()
theirs.in_proj_bias.data.normal_()
theirs.out_proj.bias.data.normal_()
with_biases = largest_differences()
print("すべての差のうち最大のもの：", f"{max(as_built + with_biases):.1e}")
rows = ["PyTorch が作ったまま（バイアス 0）", "PyTorch のバイアスが乱数"]
columns = ["出力", "ヘッドごとの重み", "ヘッドの平均 / 既定の重み"]
title = "あなたの層は PyTorch の層と 100 万分の 1 まで一致するか"
agree = [[gap < 1e-6 for gap in gaps] for gaps in (as_built, with_biases)]
heatmap(agree, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-same_as_pytorch", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** バイアスを写し忘れたらどうなるでしょうか。もう一度写してから、あなたの層のバイアスだけを 0 にします。表の数は、PyTorch の層との差です（`0.00` なら、丸めの差しかありません）。どの行なら、忘れたことに気づけますか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-biases_forgotten", "locked": true, "schema_version": 3, "solution": false, "task": false}
gaps = []
for layer in (nn.MultiheadAttention(12, 3, batch_first=True), theirs):
    copy_weights(mine, layer)
    for linear in (mine.W_Q, mine.W_K, mine.W_V, mine.W_O):
        linear.bias.data.zero_()  # as if nobody had copied it
    output, weights = mine(x)
    their_output, averaged = layer(x, x, x)
    pairs = [(output, their_output), (weights.mean(dim=1), averaged)]
    gaps.append([(one - other).abs().max().item() for one, other in pairs])
copy_weights(mine, theirs)
rows = ["PyTorch が作ったまま（バイアス 0）", "PyTorch のバイアスが乱数"]
columns = ["出力", "ヘッドの平均 / 既定の重み"]
title = "あなたのバイアスがすべて 0 のとき、PyTorch の層とどれだけ違うか（最大の差）"
heatmap(gaps, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-biases_forgotten", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **0 のバイアスは間違いを隠します。** PyTorch は、この層のバイアスを 0 から始めます。バイアスのない層を作っても、足し忘れても、初日は完全に一致し、最初の学習の後で狂います。確かめるときは、0 でもなく、互いに同じでもない数を使いましょう。
#
# 最後の列には、説明が必要です。PyTorch が返す重みは、ヘッドごとの重みではありません。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-shapes_of_weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
print("MultiHeadAttention:     ", tuple(mine(x)[1].shape))
print("nn.MultiheadAttention:  ", tuple(theirs(x, x, x)[1].shape))

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-shapes_of_weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **`nn.MultiheadAttention` は、何も言わなければヘッドの平均を返します。** 全部を受け取るには `average_attn_weights=False` と指定します。はっきりした模様を二つ平均すると、誰のものでもない、ぼやけた模様になります。3 節の二つのヘッドでは、次のようになります。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-average_of_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
title = "ヘッド 0 とヘッド 1 の平均"
heatmap(two_maps[0].mean(dim=0), words, short, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-average_of_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 一つのヘッドがすぐ前の語を、もう一つが名詞を見ていることを、この表から見抜けるでしょうか。
#
# **もう一度、壊してみよう。** 既定値をもう一つ見ておきます。`nn.MultiheadAttention` は、`batch_first=True` と言わない限り `(T, B, d_model)` を受け取ります。自己アテンションでは、どんな形でも文句は出ません。バッチの文 1 を変えて、二つの文の出力を見てみます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-batch_first", "locked": true, "schema_version": 3, "solution": false, "task": false}
changed_x = x.clone()
changed_x[1] = torch.randn(5, 12)
moved = []
for first in (True, False):
    layer = nn.MultiheadAttention(12, 3, batch_first=first)
    before, _ = layer(x, x, x)
    after, _ = layer(changed_x, changed_x, changed_x)
    moved.append((after - before).detach().abs().amax(dim=(1, 2)))
rows = ["batch_first=True", "batch_first=False"]
columns = ["文" + f" {number}" for number in range(2)]
title = "文 1 を変えたとき、それぞれの文の出力が動く大きさ"
heatmap(torch.stack(moved), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-batch_first", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 文は、ほかの文で何が起きても気づかないはずです。この試し方も覚えておきましょう。一行で書けて、誰かが「強力な正則化層」と呼んだことのある間違いを見つけてくれます。
#
# マスクはどうでしょうか。そこでも `True` は「隠す」ですが、引数が二つあり、どちらもあなたの関数とは少し違います。

# %%
ask("which_argument", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-which_argument", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 三つの文でまとめると
#
# マルチヘッドアテンションは、射影した特徴をヘッドに分け、ヘッドごとにソフトマックスを持たせるので、トークンは答えを混ぜることなく、いくつもの問いを立てられます。ヘッドの結果を組み合わせるのが W_O で、ヘッドがいくつあればよいかは課題によって決まり、学習の後には、外してもあまり困らないものと、大きく困るものがあります。`nn.MultiheadAttention` も同じ計算ですが、三つの行列が一つにまとめられ、指定しなければ軸の順は違い、重みは平均されて返ります。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-which_argument-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 自分の言葉で
#
# 誰かが言いました。「うちのモデルはヘッドが 16 個だから、4 個しかないそちらより優れている。」あなたならどう答えますか。何を測ればよいかも含めて、三文から五文で書いてください。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-sixteen_heads", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# （ここに答えを書いてください）

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-sixteen_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次の `06_complexity` では、こうした表がどれだけの計算とメモリを使うのかを数え、測ります。
