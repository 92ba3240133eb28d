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
# * 隠れたキーが加わらず、何も見えないクエリがあっても壊れないソフトマックスを書ける
# * PyTorch の関数に、意味を取り違えられることなくマスクを渡せる
# * 「未来を隠す」と「パディングを隠す」の違いがわかり、両方を同時に使える
# * 答えを見ながら学習してしまったモデルを見抜き、どんなマスクも小さな例で確かめられる
#
# 前もって必要なのは、ソフトマックスとアテンションについての知識です。クエリとキーの内積を √d_k で割ったスコアが重みになり、その重みでバリューを混ぜるのでした。
#
# セルは上から順に実行してください。解答セルには、何を作るのかが書いてあります。エラーを起こしている行を自分のコードに置き換え、実行してから、すぐ下のチェックを実行します。日を改めて続けるときは、もう一度いちばん上から実行しましょう。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import matplotlib.pyplot as plt
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture
from helpers import WORDS, bare_mha, loss_of, loss_while_writing, sentences, trained

check, ask = lesson("04_masked_softmax", language="ja")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. 未来を隠す
#
# 表を思い浮かべてください。**行は見る側のトークン（クエリ）、列は見られる側のトークン（キー）です。** マスクは、この表に `True` と `False` を並べたものです。ここで決め手になるのが、`True` の意味です。
#
# > **`True` は「隠す」です。** この教材でも `nn.MultiheadAttention` でもそうです。ところが PyTorch の `F.scaled_dot_product_attention` では逆に、`True` は「見てよい」という意味になります。取り違えてもエラーは出ません。ほかの関数にマスクを渡すときは、そこでの `True` の意味を声に出して確かめてから渡しましょう。
#
# 因果マスクでは、どのトークンも自分自身と、自分より前だけを見ます。ただし、一つ注意があります。文章を書いている途中のモデルは、新しいトークンの分だけを計算することがよくあります。それでも見に行く先は、これまでのトークン全部です。たとえばクエリが 1 個、キーが 7 個になります。このときクエリは、キーの並びの**最後**の位置にいると考えます。ですから、最後のクエリからはいつもすべてのキーが見えます。（クエリのほうがキーより多ければ、初めのほうのクエリはどのキーよりも前に立ち、何も見えません。）
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
    クエリのほうがキーより多いとき、はじめのいくつかはどのキーよりも前にあり、何も見えません。
    マスクは `device` の上に作ります。

    causal_mask(3) -> [[False,  True,  True],
                       [False, False,  True],
                       [False, False, False]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-causal_mask", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(causal_mask)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-causal_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** これは、三つのトークンに対するあなたのマスクです。一行ずつ、「『猫』から『が』は見えない。『猫』から『寝る』も……」と読み上げてみましょう。何も隠れていないのはどの行ですか。「最初の行」と答えた人は、頭の中で行と列が入れ替わっています。ほとんどの人が一度は通る道です。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-causal_mask_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
tokens = "猫 / が / 寝る".split(" / ")
names = {"row_name": "見る側（クエリ）", "column_name": "見られる側（キー）"}
title = "あなたの因果マスク：True は「隠す」"
heatmap(causal_mask(3), tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-causal_mask_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **トークンは自分自身を見てもよいのでしょうか。** かまいません。予測するのは自分の**次**なので、自分を見ても答えを見たことにはならないからです。対角線まで隠してしまうと、最初のトークンには見るものが何も残りません。
#
# **壊してみよう。** 今度は、新しいクエリ「寝る」と「。」の二つが、四つのキーを振り返ります。まずあなたのマスク、次に、クエリの位置を末尾からではなく先頭から数えてしまった場合です。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-two_new_queries", "locked": true, "schema_version": 3, "solution": false, "task": false}
four_tokens = [*tokens, "。"]
title = "新しいクエリ 2 個とキー 4 個に対するあなたのマスク：True は「隠す」"
heatmap(causal_mask(2, n_keys=4), four_tokens[2:], four_tokens, title=title, **names)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-counted_from_the_start", "locked": true, "schema_version": 3, "solution": false, "task": false}
title = "同じクエリ 2 個の位置を、先頭から数えた場合"
heatmap(causal_mask(4)[:2], four_tokens[2:], four_tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-counted_from_the_start", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 二つ目の表も読み上げてみましょう。「。」からは、自分自身も、すぐ前の単語も見えません。しかも、形を見ているだけでは気づけません。（`F.scaled_dot_product_attention` の `is_causal=True` は、この二つ目の数え方をします。クエリとキーの数が同じなら違いはないので、モデルが文章を書き始めるまで気づかれずに残ります。）

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-counted_from_the_start-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. パディングを隠す
#
# バッチの中の文（一般には「系列」と呼びます）は長さがばらばらですが、テンソルは長方形です。そこで、短い文の後ろを埋めて長さをそろえます。埋めた部分が「パディング」です。パディングにも数値が入っているので、放っておくとアテンションはそれも混ぜてしまいます。`lengths` は、それぞれの文で本物のトークンがいくつあるかを表します。
#
# パディングは、同じ文のどのクエリからも等しく隠れます。マスクの形が `(B, 1, n_keys)` なのはそのためで、大きさ 1 の軸がすべてのクエリを代表しています。
#
# **予想しよう。** パディングは、どこになりますか。

# %%
ask("padding_row", answer=...)

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
# **見てみよう。** 「猫が寝る。」「走れ。」「はい」「犬は走る」の四つの文です。今度の行は、トークンではなく一つの文であることに気をつけてください。それぞれ、どこから隠れ始めますか。それは、誰が見るかによって変わりますか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-padding_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
four_sentences = "猫 が 寝る 。 / 走れ 。 / はい / 犬 は 走る".split(" / ")
lengths = torch.tensor([4, 2, 1, 3])
hides_padding = padding_mask(lengths, 4)  # (4, 1, 4)
columns = ["キー" + f" {number}" for number in range(4)]
title = "あなたのパディングマスク（一行が一つの文）：True は「隠す」"
heatmap(hides_padding[:, 0], four_sentences, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-padding_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 大きさ 1 の軸を省いたら、どうなるでしょうか。マスクの形は `(B, n_keys)` になり、スコアの最後の二つの軸は `(n_queries, n_keys)` です。ここでは、たまたま文が四つ、クエリも四つあります。次のセルは、すべてのトークンが本物である最初の文がどうなるかを示します。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-axis_left_out", "locked": true, "schema_version": 3, "solution": false, "task": false}
nothing_hidden = torch.zeros(4, 4, 4, dtype=torch.bool)  # four sentences, four queries, four keys
spread = nothing_hidden | hides_padding[:, 0]  # the axis for the queries is left out
rows = ["クエリ" + f" {number}" for number in range(4)]
title = "パディングのない最初の文：True は「隠す」"
heatmap(spread[0], rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-axis_left_out", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 一つの文のクエリに、一行ごとに別の文のパディングが当てられてしまいました。文が三つならエラーになったはずですが、四つだと何も言われません。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-axis_left_out-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. 一部を除いたソフトマックス
#
# ソフトマックスは、1 行のスコアを合計 1 の「分け前」に変えます。今度は、一部のキーの取り分をちょうど 0 にし、残りのキーで全体を分け合わなければなりません。まず、ソフトマックスが配り終えた**後**で隠すとどうなるかを見てください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-hidden_too_late", "locked": true, "schema_version": 3, "solution": false, "task": false}
scores = torch.tensor([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]])
keep = torch.tensor([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
too_late = scores.softmax(dim=-1) * keep
with_sums = torch.cat([too_late, too_late.sum(dim=-1, keepdim=True)], dim=-1)
rows = ["何も隠さない", "キー 1 を後から隠す"]
title = "ソフトマックスの後で隠した場合：あるクエリの重みとその和"
heatmap(with_sums, rows, [*columns[:3], "和"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-hidden_too_late", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 行の和を見ればわかります。隠れたキーに配られた分が、消えてなくなっています。困ることはほかにもあります。隠れたキーのスコアを上げると、誰も見てはいけないはずなのに、見えるキーの重みが減ってしまいます。だから、隠すのが先です。すると問いはこうなります。**スコアがいくつなら、その指数はちょうど 0 になるでしょうか。**
#
# > **「とても小さい負の数なら何でもよい」わけではありません。** -1e9 でたいていはうまくいきます。しかし何も見えないクエリの行では、どのスコアも同じように低いので、隠れたキーどうしで全体を分け合ってしまいます。
#
# **予想しよう。** 残ったもので分け合います。

# %%
ask("shares_of_the_visible", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-shares_of_the_visible", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 書く前に、あと二つ考えておきましょう。
#
# * スコアは 1000 のことも -1000 のこともあります。ソフトマックスの結果を決めるのは、行の中での**差**だけです。
# * 行のすべてが隠れて、何も見えないクエリもありえます。0 を 0 で割ると NaN（「数ではない」という印）になり、NaN は一つだけでも、和や勾配を通ってモデル全体に広がります。この教材では、そのようなクエリの重みを 0 にします。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "masked_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """最後の軸に沿ったソフトマックス。隠れたキーは計算に加わりません。

    scores (..., n_q, n_k)、mask は scores に合わせてブロードキャストされる bool、True は「隠す」
    -> 重み (..., n_q, n_k)。
    隠れたキーの重みはちょうど 0、見えるキーの重みの和は行ごとに 1 です。
    すべてが隠れた行は全部 0 になり、勾配も有限のままです。
    重みの dtype は scores と同じです。

    masked_softmax(torch.tensor([[1., 1., 9.]]), torch.tensor([[False, False, True]]))
    -> [[0.5, 0.5, 0.0]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-masked_softmax", "locked": true, "points": 6.0, "schema_version": 3, "solution": false, "task": false}
check(masked_softmax)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-masked_softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** 次のセルでは、隠れたキーのスコアが 0 から 1000 まで上がっていきます。その間、見えるキーの重みはどうなるべきでしょうか。予想を口にしてから実行してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-loud_hidden_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
loudness = [0.0, 10.0, 100.0, 1000.0]
loud_scores = torch.tensor([[2.0, loud, 0.0] for loud in loudness])
loud_weights = masked_softmax(loud_scores, mask=torch.tensor([False, True, False]))
rows = ["隠れたスコア" + f" {loud:g}" for loud in loudness]
title = "隠れたキー 1 のスコアを上げていったときの、あなたの重み"
heatmap(loud_weights, rows, columns[:3], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-loud_hidden_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 大きな負の数の話を、もう一度考えます。-1e9 で隠すモデルがあり、float32 では問題なく動いています。メモリを節約するために、一つの数を 4 バイトではなく 2 バイトで表す「半精度」の型に切り替えることになりました。

# %%
ask("fill_in_float16", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-fill_in_float16", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次のセルでは、それぞれの型で表せるいちばん低い数と、-1e9 がどう記録されるかを調べます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-lowest_numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
types = (torch.float32, torch.bfloat16, torch.float16)
stored = [[torch.finfo(dtype).min, torch.full((1,), -1e9, dtype=dtype).item()] for dtype in types]
title = "それぞれの型の数は、どこまで低くなれるか"
heatmap(stored, types, ["いちばん低い数", "-1e9 はこうなる"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-lowest_numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 半精度には二種類あります。bfloat16 は桁数を減らして、float32 と同じ範囲を残しました。float16 は桁数を多めに残した代わりに、65504 までしか表せません。どの型でも困らないのは、その型から求めた数か、-inf です。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-lowest_numbers-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. マスク付きのアテンション
#
# スコアは、クエリとキーの内積を √d_k で割ったものです（割らないと、ベクトルの幅が広いときにソフトマックスが一つのキーだけを選んでしまいます）。それをあなたのソフトマックスが重みに変え、その重みでバリューを混ぜます。新しいのは、マスクも一緒に渡すことだけです。
#
# **予想しよう。** スコアがどれも等しければ、重み付き平均はふつうの平均になります。

# %%
ask("three_averages", answer=...)

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
# **見てみよう。** 未来を隠したときの三つのトークンの重みです。最初の行だけは、スコアを一つも知らなくても当てられます。（`0` はちょうど 0、`0.00` ならごくわずかにある、という意味です。）

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-weights_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(4)
queries, keys, values = torch.randn(3, 1, 3, 5)
_, seen = masked_attention(queries, keys, values, mask=causal_mask(3))
title = "未来を隠したときの、あなたの重み"
heatmap(seen[0], tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-weights_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# これで、ソフトマックスの前に「割る」と「隠す」の二つの手順ができました。順番を入れ替えてもよいのでしょうか。

# %%
ask("before_the_division", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-before_the_division", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう（その一）。** まったく同じマスクを、PyTorch の関数にも渡します。それぞれの `True` が何を意味するか、思い出してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-two_conventions", "locked": true, "schema_version": 3, "solution": false, "task": false}
mask = causal_mask(3)
yours, _ = masked_attention(queries, keys, values, mask=mask)
outputs = [
    bare_mha(5)(queries, keys, values, attn_mask=mask)[0],
    scaled_dot_product_attention(queries, keys, values, attn_mask=mask),
    scaled_dot_product_attention(queries, keys, values, attn_mask=~mask),
]
gaps = [[(output - yours).abs().max().item()] for output in outputs]
rows = [
    "nn.MultiheadAttention, attn_mask=mask",
    "F.scaled_dot_product_attention, attn_mask=mask",
    "F.scaled_dot_product_attention, attn_mask=~mask",
]
title = "同じマスクを PyTorch の関数に渡すと"
heatmap(gaps, rows, ["あなたの出力との差（最大）"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-two_conventions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# `~mask` は、`True` と `False` を入れ替えたものです。真ん中の行では、エラーも出ず、形の正しいテンソルが返ってきました。いったい何を計算したのでしょうか。あなたの関数にも、マスクをそのように読ませてみます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-the_other_reading", "locked": true, "schema_version": 3, "solution": false, "task": false}
_, seen = masked_attention(queries, keys, values, mask=~mask)
title = "あなたの関数に ~mask を渡した場合"
heatmap(seen[0], tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-the_other_reading", "locked": true, "schema_version": 3, "solution": false, "task": false}
# どのトークンも自分より後だけを見ていて、最後のトークンには見るものがありません。学習の間だけは、すばらしい成績のモデルに見えることでしょう。
#
# **壊してみよう（その二）。** 何も見えないクエリの話です。二つの文のバッチで、二つ目の文が空だとします。`nn.MultiheadAttention` では、その文の結果が NaN になります。

# %%
ask("repaired_afterwards", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-repaired_afterwards", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次のセルで数えてみます。実際のモデルと同じように、どちらの文も共通の行列を一つ通します。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-nothing_to_see", "locked": true, "schema_version": 3, "solution": false, "task": false}
two_sentences = torch.randn(2, 3, 4)
hides_all_of_one = padding_mask(torch.tensor([3, 0]), 3)  # the second sentence is empty
mha = bare_mha(4)


def of_pytorch(x):
    """What nn.MultiheadAttention makes of it."""
    return mha(x, x, x, key_padding_mask=hides_all_of_one[:, 0])[0]


def repaired(x):
    """The same, with every NaN of the result replaced by 0."""
    return torch.nan_to_num(of_pytorch(x))


def your_own(x):
    """What your function makes of it."""
    return masked_attention(x, x, x, mask=hides_all_of_one)[0]


counts = []
for attend in (of_pytorch, repaired, your_own):
    shared = torch.eye(4, requires_grad=True)  # a matrix that both sentences go through
    output = attend(two_sentences @ shared)
    output.sum().backward()
    counts.append([int(output.isnan().sum()), int(shared.grad.isnan().sum())])
rows = ["nn.MultiheadAttention", "nn.MultiheadAttention の後で nan_to_num", "masked_attention"]
columns = ["出力 24 個のうち", "共通の行列の勾配 16 個のうち"]
title = "NaN になった数の個数"
heatmap(counts, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-nothing_to_see", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **NaN は、後からでは直せません。** 0 で上書きすれば、その先の数は助かります。しかし勾配は、数が来た道を逆にたどり、NaN が生まれたところを通って、そこでやはり NaN になります。そのようなクエリが一つあるだけで、モデルの重みがすべて台なしになります。ですから、初めから NaN を作らないようにしなければなりません。
#
# では逆に、NaN が初めからあって、それが隠れている場合はどうでしょうか。

# %%
ask("hidden_nan", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-hidden_nan", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. トークンどうしが見合う
#
# いよいよ組み立てます。トークンからクエリ、キー、バリューを作り、求められたマスクを用意して、アテンションを計算します。隠す理由が二つ重なることもあります。**どちらか一方でも**隠すと言えば、そのキーは隠れます。
#
# 三つの行列は、レッスン 02 の関数と同じく `(in, out)` です。行は入る数に、列は出る数に対応します。（`nn.Linear` の重みは逆向きの `(out, in)` です。）
#
# > **パディングで隠すのはキーであって、クエリではありません。** パディングの位置にあるクエリの行も、ほかの行と同じように計算します。後で誰も読まない行なので守る必要がなく、そのままにしておくほうがコードも簡単です。
#
# **予想しよう。** 二つのマスクを重ねて描いてみてください。

# %%
ask("row_of_a_padded_query", answer=...)

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
# **見てみよう。** 「走れ。」という文をパディングで四つにそろえ、そのうえ未来も隠しました。どの 0 がどちらの理由で隠れていますか。両方の理由があてはまるものもあります。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-both_reasons", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(5)
x = torch.randn(2, 4, 6)
matrices = [torch.randn(6, 5), torch.randn(6, 5), torch.randn(6, 4)]
_, seen = self_attention(x, *matrices, causal=True, lengths=torch.tensor([4, 2]))
short_sentence = "走れ / 。 / [パディング] / [パディング]".split(" / ")
title = "本物 2 個とパディング 2 個の文で、causal=True としたときのあなたの重み"
heatmap(seen[1], short_sentence, short_sentence, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-both_reasons", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 隠す側を間違えると、何が起こるでしょうか。本物のトークン二つはそのままにして、パディングに入っている数だけを変え、各トークンの出力がどれだけ動くかを測ります。表を手で隠して考えてください。0 になるべきなのは、どのマスですか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-padding_on_the_wrong_side", "locked": true, "schema_version": 3, "solution": false, "task": false}
filled, refilled = torch.randn(1, 4, 6), torch.randn(1, 4, 6)
refilled[:, :2] = filled[:, :2]  # two real tokens; what fills the rest has changed
both = [[batch @ matrix for matrix in matrices] for batch in (filled, refilled)]  # their Q, K, V
hides_keys = padding_mask(torch.tensor([2]), 4)  # (1, 1, 4)
masks = {
    "マスクなし": None,
    "あなたのマスク：キーを隠す": hides_keys,
    "向きを変えたマスク：クエリを隠す": hides_keys.transpose(1, 2),  # (1, 4, 1)
}
moved = []
for mask in masks.values():
    before, after = (masked_attention(*projected, mask=mask)[0] for projected in both)
    moved.append((after - before).abs().amax(dim=-1)[0])
title = "パディングの中身を変えたとき、各トークンの出力が動く大きさ"
heatmap(torch.stack(moved), list(masks), short_sentence, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-padding_on_the_wrong_side", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 最後の行では、パディングの**クエリ**を隠しました。パディングの行が 0 になるので、すっきりしたように見えます。けれども本物のトークンは相変わらずパディングを見ているので、そこに何が入っているかによって文の結果が変わってしまいます。隠すのは、見られる側です。パディングの行の結果を使いたくなければ、それを読むところ、つまり損失で除きましょう。
#
# **もう一度、壊してみよう。** 最後のトークン「寝る」をまったく別のものに取り替えて、各トークンの出力がどれだけ動くかを測ります。表のどちらの行なら、前の二つのトークンが動いてよいでしょうか。動いてはいけないのはどちらの行ですか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-the_last_word_changes", "locked": true, "schema_version": 3, "solution": false, "task": false}
x, changed_x = torch.randn(1, 3, 6), torch.randn(1, 3, 6)
changed_x[:, :2] = x[:, :2]
moved = []
for causal in (False, True):
    before, _ = self_attention(x, *matrices, causal=causal)
    after, _ = self_attention(changed_x, *matrices, causal=causal)
    moved.append((after - before).abs().amax(dim=-1)[0])
rows = ["causal=False", "causal=True"]
title = "最後のトークンを変えたとき、各トークンの出力が動く大きさ"
heatmap(torch.stack(moved), rows, tokens, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-the_last_word_changes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 6. うますぎる話
#
# いよいよ、初めの問いに戻ります。二つの小さなモデルが、次の単語を当てることを学びます。単語の表も、学習する位置の表も、一層だけの `self_attention`（あなたが書いたものです）も、初めの数も、学習に使う文も、すべて同じです。違うのは、一方が `causal=True` で呼び、もう一方が付けずに呼ぶことだけです。
#
# 学習に使うのは、「猫が寝る。」のような文を三つ並べたものです。誰が（猫、犬、鳥、子）何をするか（寝る、走る、鳴く、笑う）は、くじ引きで決まります。ですから、まじめに当てようとする限り、損失がどこまで下がるかは前もってわかります。当てる 11 語のうち 5 語は四つに一つ、残りは確実に決まるので、5 · ln 4 / 11 = 0.63 ナット／単語です。
#
# **予想しよう。** 二つの損失は、それぞれどうなるでしょうか。

# %%
ask("answers_in_view", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-answers_in_view", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 二つ合わせて、数秒で学習が終わります。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-too_good_to_be_true", "locked": true, "schema_version": 3, "solution": false, "task": false}
def looking_back(x, *matrices):
    """Self-attention of a model that may not see what comes next."""
    return self_attention(x, *matrices, causal=True)


honest, honest_losses = trained(looking_back)
leaky, leaky_losses = trained(self_attention)
lowest = 5 * math.log(4) / 11  # 5 of 11 words are drawn from four
figure, axes = plt.subplots(figsize=(6.5, 3.5))
axes.plot(honest_losses, label="未来を隠す")
axes.plot(leaky_losses, "--", label="未来が見える")
axes.axhline(lowest, color="k", linestyle=":", label="まじめに当てるときの限界")
axes.set(xlabel="学習ステップ", ylabel="損失（ナット／単語）", ylim=(-0.05, 2.5))
axes.legend()
picture(figure,
    "100 ステップの学習での損失の曲線が二本。未来を隠すと、まじめに当てるときの限界である 0.63 の点"
    "線まで下がり、そこにとどまる。未来が見えると、30 ステップのうちに点線を突き抜けて 0 まで下が"
    "る。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-too_good_to_be_true", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 一方の曲線は点線まで下がって、そこにとどまります。もう一方は点線を突き抜けていきます。まだ引いていないくじを言い当てられる人は、世界のどこにもいません。この線より下に行けるのは、答えを見た者だけです。**うますぎる損失は、幸運ではありません。答えが漏れているのです。**
#
# 今度は、二つのモデルに文章を書かせます。そのとき、次の単語はまだどこにもありません。新しくくじを引いて作った文での損失を、学習のときと同じように文全体が見えている場合と、書いたところまでしか見えない場合とで比べます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-while_writing", "locked": true, "schema_version": 3, "solution": false, "task": false}
read, following = sentences(200, seed=1000)  # lines drawn anew
results = []
for model in (honest, leaky):
    in_training = loss_of(model, read, following).item()
    results.append([in_training, loss_while_writing(model, read, following)])
rows = ["未来を隠す", "未来が見える"]
columns = ["文全体が見える", "書いている途中"]
title = "新しく引いた文での損失（ナット／単語）"
heatmap(results, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-while_writing", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 二つ目のモデルが学んだのは、「次の場所にある単語を写す」ことだけです。その場所が空になると、十面のさいころを振る（ln 10 = 2.30）よりもずっと悪くなります。では、何と書くのでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-next_word", "locked": true, "schema_version": 3, "solution": false, "task": false}
begun = torch.tensor([[WORDS.index("猫"), WORDS.index("が")]])
guesses = torch.cat([model(begun)[:, -1].softmax(dim=-1) for model in (honest, leaky)])
title = "「猫が」の次は何か：それぞれのモデルが考える確率"
heatmap(guesses, rows, WORDS, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-next_word", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 一つ目のモデルは、次に動詞が来ることも、どの動詞かはわからないことも知っています。二つ目のモデルは、でたらめな答えに自信を持っています。
#
# ### マスクを確かめる
#
# 実際のモデルでは、損失がどこまで下がってよいのかを誰も教えてくれません。ですから、マスクそのものを、小さな例で確かめます。
#
# 1. **三つのトークンで表示して**、先ほどのように一行ずつ読み上げる。
# 2. **大きさをすべて違える。** たとえば文を二つ、クエリを三つ、キーを五つにします。軸の取り違えや書き忘れが、間違った数ではなくエラーになって現れます。
# 3. **後ろのほうを変えてみて、前のほうが動かないかを見る。** コードを一行も読まずに、どんなモデルでも、未来が漏れていることを見つけられます。パディングを変えてみて、本物のトークンが動かないかも見ておきましょう。
#
# ### 優劣ではなく、目的の違い
#
# だからといって、隠すのが良く、見るのが悪いというわけではありません。文章を書くモデルは、書くときに手元にない「この先」を見てはいけません。できあがった文章を読むモデルは、前も後ろも見るべきです。「はしをわたる」と「はしをつかう」を耳で聞けば、「橋」なのか「箸」なのかは、その後を聞いて初めてわかります。目的が違うのです。

# %%
ask("who_hides_the_future", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-who_hides_the_future", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 三つの文でまとめると
#
# マスクは、クエリごとにどのキーを隠すかを示す表で、ここでは `True` が「隠す」です。隠すのはソフトマックスの前で、そうすれば見えるキーが重みの全体を分け合い、隠れたキーは何の影響も与えません。未来を隠すのは、書くときには存在しないからで、パディングを隠すのは、もともと文の一部ではないからです。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-who_hides_the_future-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 自分の言葉で
#
# 友だちが言いました。「未来を隠すのは、情報を捨てているだけだよ。両方向を見るモデルのほうが、いつだって優れているに決まっている。」あなたならどう答えますか。例を挙げて、三文から五文で書いてください。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-both_directions", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# （ここに答えを書いてください）

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-both_directions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次の `05_multi_head` では、トークンがいくつもの見方で同時に見合い、マスクにもヘッドの軸が一つ増えます。
