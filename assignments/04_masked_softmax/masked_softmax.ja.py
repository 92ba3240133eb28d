# ---
# jupyter:
#   attn:
#     assignment: 04_masked_softmax
#     version: 1
#     language: ja
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # 誰が誰を見てよいか
#
# 単語を覚えるとき、答えの列を手で隠しながら自分を試しますよね。答えが見えていたら満点は取れても、何も身につかないからです。次の単語を予測するモデルの学習も同じです。学習に使う文には、答えである次の単語がそのまま並んでいます。**それを、すべての文のすべての位置で一度に隠すには、どうすればよいでしょうか。**
#
# 例に使うのは「猫が寝る」という文です。「猫」「が」「寝る」の三つのトークンに分けます。
#
# このレッスンを終えると、次のことができるようになります。
#
# * 因果マスクのどこが `True` になるかを、実行する前に言える
# * 隠れたキーが加わらず、見るものが何もない行でも壊れないソフトマックスを書ける
# * なぜソフトマックスの**後**ではなく**前**に隠すのかを説明できる
# * 「未来を隠す」と「パディングを隠す」の違いがわかり、両方を同時に使える
#
# セルは上から順に実行してください。解答セルには、何を作るのかが書いてあります。エラーを起こしている行を自分のコードに置き換え、実行してから、すぐ下のチェックを実行します。日を改めて続けるときは、もう一度いちばん上から実行しましょう。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import torch
from torch import Tensor
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap

check, ask = lesson("04_masked_softmax", language="ja")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. 未来を隠す
#
# 表を思い浮かべてください。**行は見る側のトークン（クエリ）、列は見られる側のトークン（キー）です。** マスクは、この表に `True` と `False` を並べたものです。ここで決め手になるのが、`True` の意味です。
#
# > **`True` は「隠す」です。** この教材でも `nn.MultiheadAttention` でもそうです。ところが PyTorch の `F.scaled_dot_product_attention` では逆に、`True` は「見てよい」という意味になります。取り違えてもエラーは出ません。ほかの関数にマスクを渡すときは、そこでの `True` の意味を声に出して確かめてから渡しましょう。
#
# 因果マスクでは、どのトークンも自分自身と、自分より前だけを見ます。ただし、一つ注意があります。文章を書いている途中のモデルは、新しいトークンの分だけを計算することがよくあります。それでも見に行く先は、これまでのトークン全部です。たとえばクエリが 1 個、キーが 7 個になります。このときクエリは、キーの並びの**最後**の位置にいると考えます。ですから、最後のクエリからはいつもすべてのキーが見えます。
#
# **予想しよう。** 書く前に、4 トークンの因果マスクを紙に描いてみてください。それから次のセルを実行すると、ある 1 行について質問されます。`...` の代わりに予想を書いておき、関数ができたらもう一度実行しましょう。予想と結果が比べられます。

# %%
ask("causal_mask_row", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "causal_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_mask(
    n_queries: int,
    n_keys: int | None = None,
    device: torch.device | str | None = None,
) -> Tensor:
    """各クエリより後にあるキーを示すマスク。True は「隠す」という意味です。

    n_queries, n_keys -> bool (n_queries, n_keys)。n_keys を省くと n_queries と同じになります。
    クエリは n_keys 個の位置のうち最後の n_queries 個です。
    つまり最後のクエリからはすべてのキーが見えます。
    マスクは `device` の上に作ります。

    causal_mask(3) -> [[False,  True,  True],
                       [False, False,  True],
                       [False, False, False]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-causal_mask", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(causal_mask)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-causal_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
# これは、三つのトークンに対するあなたのマスクです。一行ずつ、「『猫』から『が』は見えない。『猫』から『寝る』も……」と読み上げてみましょう。何も隠れていないのはどの行ですか。「最初の行」と答えた人は、頭の中で行と列が入れ替わっています。ほとんどの人が一度は通る道です。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-causal_mask_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
tokens = "猫 / が / 寝る".split(" / ")
names = {"row_name": "見る側（クエリ）", "column_name": "見られる側（キー）"}
title = "あなたの因果マスク：True は「隠す」"
heatmap(causal_mask(3), tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-causal_mask_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. パディングを隠す
#
# バッチの中の文は長さがばらばらですが、テンソルは長方形です。そこで、短い文の後ろを埋めて長さをそろえます。埋めた部分にも数値が入っているので、放っておくとアテンションはそれも混ぜてしまいます。`lengths` は、それぞれの文で本物のトークンがいくつあるかを表します。
#
# パディングは、同じ文のどのクエリからも等しく隠れます。マスクの形が `(B, 1, n_keys)` なのはそのためで、大きさ 1 の軸がすべてのクエリを代表しています。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "padding_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def padding_mask(lengths: Tensor, n_keys: int) -> Tensor:
    """パディングにあたるキーを示すマスク。True は「隠す」という意味です。

    lengths: 整数 (B,)、値は 0 から n_keys まで -> bool (B, 1, n_keys)。
    デバイスは lengths と同じです。
    大きさ 1 の軸はクエリの軸です。パディングはどのクエリからも同じように隠れます。

    padding_mask(torch.tensor([2, 3]), 3) -> [[[False, False, True]], [[False, False, False]]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-padding_mask", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(padding_mask)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-padding_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. 一部を除いたソフトマックス
#
# ソフトマックスは、1 行のスコアを合計 1 の「分け前」に変えます。今度は、一部のキーの取り分をちょうど 0 にし、残りのキーで全体を分け合わなければなりません。まず、ソフトマックスが配り終えた**後**で隠すとどうなるかを見てください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-hidden_too_late", "locked": true, "schema_version": 3, "solution": false, "task": false}
scores = torch.tensor([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]])
keep = torch.tensor([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
too_late = scores.softmax(dim=-1) * keep
with_sums = torch.cat([too_late, too_late.sum(dim=-1, keepdim=True)], dim=-1)
columns = ["キー 0", "キー 1", "キー 2", "和"]
rows = ["何も隠さない", "キー 1 を後から隠す"]
title = "ソフトマックスの後で隠した場合：あるクエリの重みとその和"
heatmap(with_sums, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-hidden_too_late", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 行の和を見ればわかります。隠れたキーに配られた分が、消えてなくなっています。困ることはほかにもあります。隠れたキーのスコアを上げると、誰も見てはいけないはずなのに、見えるキーの重みが減ってしまいます。だから、隠すのが先です。すると問いはこうなります。**スコアがいくつなら、その指数はちょうど 0 になるでしょうか。**
#
# 書く前に、あと二つ考えておきましょう。
#
# * スコアは 1000 のことも -1000 のこともあります。ソフトマックスの結果を決めるのは、行の中での**差**だけです。
# * 見るものが一つもない行もありえます。0 を 0 で割ると NaN になり、NaN は一つだけでも、和や勾配を通ってモデル全体に広がります。この教材では、そのような行の重みを 0 にします。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "masked_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """最後の軸に沿ったソフトマックス。隠れたキーは計算に加わりません。

    scores (..., n_q, n_k)、mask は scores に合わせてブロードキャストされる bool、True は「隠す」
    -> 重み (..., n_q, n_k)。
    隠れたキーの重みはちょうど 0、見えるキーの重みの和は行ごとに 1 です。
    すべてが隠れた行は全部 0 になり、勾配も有限のままです。

    masked_softmax(torch.tensor([[1., 1., 9.]]), torch.tensor([[False, False, True]]))
    -> [[0.5, 0.5, 0.0]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-masked_softmax", "locked": true, "points": 6.0, "schema_version": 3, "solution": false, "task": false}
check(masked_softmax)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-masked_softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 次のセルでは、隠れたキーのスコアが 0 から 1000 まで上がっていきます。その間、見えるキーの重みはどうなるべきでしょうか。予想を口にしてから実行してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-loud_hidden_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
loudness = [0.0, 10.0, 100.0, 1000.0]
loud_scores = torch.tensor([[2.0, loud, 0.0] for loud in loudness])
loud_weights = masked_softmax(loud_scores, mask=torch.tensor([False, True, False]))
rows = ["隠れたスコア" + f" {loud:g}" for loud in loudness]
title = "隠れたキー 1 のスコアを上げていったときの、あなたの重み"
heatmap(loud_weights, rows, columns[:3], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-loud_hidden_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. マスク付きのアテンション
#
# スコアは、クエリとキーの内積を √d_k で割ったものです（割らないと、ベクトルの幅が広いときにソフトマックスが一つのキーだけを選んでしまいます）。それをあなたのソフトマックスが重みに変え、その重みでバリューを混ぜます。新しいのは、マスクも一緒に渡すことだけです。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "masked_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_attention(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    mask: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """スケール付き内積アテンション。各クエリは見てよいバリューだけを混ぜます。

    Q (..., n_q, d_k)、K (..., n_k, d_k)、V (..., n_k, d_v)、mask は bool、True は「隠す」
    -> (出力 (..., n_q, d_v), 重み (..., n_q, n_k))。スコアは d_k の平方根で割ります。
    何も見えないクエリの出力は 0 です。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-masked_attention", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(masked_attention)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-masked_attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次の図は、未来を隠したときの三つのトークンの重みです。最初の行だけは、スコアを一つも知らなくても当てられます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-weights_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(4)
queries, keys, values = torch.randn(3, 5), torch.randn(3, 5), torch.randn(3, 2)
_, seen = masked_attention(queries, keys, values, mask=causal_mask(3))
title = "未来を隠したときの、あなたの重み"
heatmap(seen, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-weights_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. トークンどうしが見合う
#
# いよいよ組み立てます。トークンからクエリ、キー、バリューを作り、求められたマスクを用意して、アテンションを計算します。隠す理由が二つ重なることもあります。**どちらか一方でも**隠すと言えば、そのキーは隠れます。
#
# > **パディングで隠すのはキーであって、クエリではありません。** パディングの位置にあるクエリの行も、ほかの行と同じように計算します。後で誰も読まない行なので守る必要がなく、そのままにしておくほうがコードも簡単です。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "self_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def self_attention(
    x: Tensor,
    W_Q: Tensor,
    W_K: Tensor,
    W_V: Tensor,
    causal: bool = False,
    lengths: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """x のトークンどうしが互いを見ます。

    x (B, T, d_model)、W_Q と W_K は (d_model, d_k)、W_V は (d_model, d_v)
    -> (出力 (B, T, d_v), 重み (B, T, T))。
    causal=True なら後のトークンを、整数の lengths (B,) があればパディングを隠します。
    両方同時にも使えます。
    パディングはキーとしてだけ隠します。
    パディング位置のクエリの行も、ほかの行と同じように計算します。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-self_attention", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(self_attention)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-self_attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 最後のトークン「寝る」をまったく別のものに取り替えて、各トークンの出力がどれだけ動くかを測ります。表のどちらの行なら、前の二つのトークンが動いてよいでしょうか。動いてはいけないのはどちらの行ですか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-the_last_word_changes", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(5)
x, changed_x = torch.randn(1, 3, 6), torch.randn(1, 3, 6)
changed_x[:, :2] = x[:, :2]
matrices = [torch.randn(6, 5), torch.randn(6, 5), torch.randn(6, 4)]
moved = []
for causal in (False, True):
    before, _ = self_attention(x, *matrices, causal=causal)
    after, _ = self_attention(changed_x, *matrices, causal=causal)
    moved.append((after - before).abs().amax(dim=-1)[0])
rows = ["causal=False", "causal=True"]
title = "最後のトークンを変えたとき、各トークンの出力が動く大きさ"
heatmap(torch.stack(moved), rows, tokens, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-the_last_word_changes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# これは、自分でモデルを作るときにも覚えておきたい試し方です。**後ろのほうを変えてみて、前のほうが動かないかを見る。** コードを一行も読まずに、未来が漏れていることを見つけられます。
#
# だからといって、隠すのが良く、見るのが悪いというわけではありません。文章を書くモデルは、書くときに手元にない「この先」を見てはいけません。できあがった文章を読んで分類したり、人名を探したりするモデルは、前も後ろも見るべきです。目的が違うのです。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-the_last_word_changes-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 三つの文でまとめると
#
# マスクは、クエリごとにどのキーを隠すかを示す表で、ここでは `True` が「隠す」です。隠すのはソフトマックスの前で、そうすれば見えるキーが重みの全体を分け合い、隠れたキーは何の影響も与えません。未来を隠すのは、書くときには存在しないからで、パディングを隠すのは、もともと文の一部ではないからです。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-the_last_word_changes-3", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 自分の言葉で
#
# 友だちが言いました。「未来を隠すのは、情報を捨てているだけだよ。両方向を見るモデルのほうが、いつだって優れているに決まっている。」あなたならどう答えますか。例を挙げて、三文から五文で書いてください。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-both_directions", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# （ここに答えを書いてください）

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-both_directions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次の `05_multi_head` では、トークンがいくつもの見方で同時に見合い、マスクの軸も一つ増えます。
