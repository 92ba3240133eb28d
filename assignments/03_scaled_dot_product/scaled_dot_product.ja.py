# ---
# jupyter:
#   attn:
#     assignment: 03_scaled_dot_product
#     version: 1
#     language: ja
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # なぜ √d で割るのか
#
# コインを 4 回投げて、表なら右へ、裏なら左へ一歩ずつ進みます。終わったときにいるのは、たいてい出発点から二歩ほどのところです。400 回投げると、一歩の長さは同じなのに、二十歩ほど離れてしまいます。内積も、これと同じ散歩です。数の組一つにつき、一歩ずつ進みます。**4 個の数のベクトルでうまくいくアテンションが、400 個ではなぜだめになり、割り算一つでなぜ立ち直るのでしょうか。**
#
# このレッスンを終えると、次のことができるようになります。
#
# * すべてのクエリとすべてのキーを一度の積で比べられる（英語の文と日本語の文のように、二つが別々の系列から来ていても）
# * スコアを √d_k で割る理由をヒストグラムで、割らないとどうなるかを曲線で示せる
# * スコアを重みに変え、その重みでバリューを混ぜられる
# * アテンションが語順について何を知っているかを説明し、測ることができる
# * 重みの図から、書かれている以上のことを読み取らない
#
# 使うのは、01 のソフトマックスとやわらかい検索、そして「クエリ、キー、バリューはトークンから作られる」という 02 の知識です。02 と同じく、すべて PyTorch のテンソルで書きます。
#
# セルは上から順に実行してください。解答セルには、何を作るのかが書いてあります。エラーを起こしている行を自分のコードに置き換え、実行してから、すぐ下のチェックを実行します。日を改めて続けるときは、もう一度いちばん上から実行しましょう。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from collections.abc import Callable
import math
import matplotlib.pyplot as plt
import torch
from torch import Tensor
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

check, ask = lesson("03_scaled_dot_product", language="ja")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. ソフトマックスと勾配
#
# ソフトマックスはもう知っていますね。指数をとり、その合計で割ると、一行のスコアが、合計 1 の割合（01 の「分け前」）になります。テンソルでは、軸を `dim` と呼びます。新しいことは二つです。バッチやヘッドの軸が加わるので、軸の数が決まっていません。そして、モデルはあなたの関数を通して学ぶので、勾配が流れます。
#
# NumPy から来ると、`keepdims` が `keepdim` になるほかに、戸惑う関数が一つあります。`x.max(dim=0)` は、最大の数とその場所の**二つ**を返します。数だけが欲しいときは `x.amax(dim=0)` です。
#
# **予想しよう。** 次のセルを実行すると、質問が出ます。`...` の代わりに予想を書いておき、関数ができたらもう一度実行しましょう。予想と結果が比べられます。

# %%
ask("quiet_and_loud_rows", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """1 つの軸に沿った「割合」。すべて正で、元の数が大きいほど割合も大きく、和は 1 です。

    x（形は自由）、dim はその軸の 1 つ（省くと -1）-> 形も dtype も x と同じテンソル。
    有限の入力ならどんなに大きくても、軸に沿ったどの並びでも、それぞれ正しい値になります。

    softmax(torch.tensor([[0., 0.], [1000., 0.]])) -> [[0.5, 0.5], [1.0, 0.0]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-softmax", "locked": true, "points": 6.0, "schema_version": 3, "solution": false, "task": false}
check(softmax)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 一行のスコア全部に同じ数を足すと、どの重みが動くはずでしょうか。次のセルは、あなたの関数と、式をそのまま書いたもの（exp をその和で割ったもの）に同じことを尋ねます。それぞれの行がどうなるかを言ってから、実行してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-shifted_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
shifts = [0.0, 50.0, 1000.0, -1000.0]
scores = torch.tensor([[2.0, 1.0, 0.0]])
shifted = torch.cat([scores + shift for shift in shifts])
by_formula = shifted.exp() / shifted.exp().sum(dim=-1, keepdim=True)
both = torch.cat([softmax(shifted), by_formula], dim=-1)
yours, formula = "あなた", "式のまま"
columns = [f"{name} {key}" for name in (yours, formula) for key in range(3)]
title = "スコア 2、1、0 のすべてに同じ数を足したときの重み（0 から 2 はキーの番号）"
heatmap(both, [f"{shift:+g}" for shift in shifts], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-shifted_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 行全体を持ち上げても下げても、重みは一つも動きません。効くのは差だけです。式の上ではどちらも同じはずなのに、コンピューターの中では違います。式のままでは、+1000 で無限大を無限大で割り、-1000 で 0 を 0 で割ることになります。
#
# **見てみよう。** 二つのキーが競い合っています。一方のスコアは 0 で、もう一方はそれに対して差をつけています（負の差もあります）。実線は、あなたの関数が出した重みです。破線はその傾き、つまり、スコアが少し動いたときに重みがどれだけ動くかです。PyTorch が、あなたのコードをたどって計算しました。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-slope_of_softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
lead = torch.linspace(-15, 15, 121, requires_grad=True)
two_scores = torch.stack([lead, torch.zeros(121)], dim=-1)  # 121 pairs of scores: (lead, 0)
weight = softmax(two_scores)[:, 0]
(slope,) = torch.autograd.grad(weight.sum(), lead)
figure, axes = plt.subplots(figsize=(6.5, 3.2))
axes.plot(lead.detach(), weight.detach(), label="重み")
axes.plot(lead.detach(), slope, "--", label="傾き（スコア 1 あたりの重みの変化）")
axes.set(xlabel="一方のスコアがもう一方につけた差", ylabel="重み、傾き")
axes.legend()
picture(figure,
    "スコアの差を -15 から 15 まで横軸にとった二本の線。重みは 0 から 1 まで S 字に上がり、差が 0 "
    "のところで 0.5 になる。傾きは山の形で、差が 0 のところで 0.25、どちら向きでも 8 を超えるとほぼ"
    " 0 になる。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-slope_of_softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 傾きは、学習がスコアまで届くための道です。0 の近くでは、道は開いています。ところが、どちら向きでも差が 10 になると、ほとんど残っていません。このような状態を、ソフトマックスが**飽和**していると言います。たとえ間違っていても、スコアはもう動きません。では、実際のモデルのスコアは、どのあたりにあるのでしょうか。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-slope_of_softmax-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. すべての組を一度の積で
#
# クエリとキーは、一組ずつ内積で比べます。クエリが `n_q` 個、キーが `n_k` 個なら、スコアは `(n_q, n_k)` の表になります。**行がクエリ、列がキーです。** この表は、一度の行列の積で全部計算できます。どの軸とどの軸が出会えばよいでしょうか。（行列でおなじみの `.T` は、**すべて**の軸を逆順にします。前にバッチの軸が付いているときは、入れ替えてよいのは二つだけです。）
#
# クエリとキーが同じ数である必要はありません。翻訳をするモデルでは、英語の単語が日本語の単語を見ます。これが**交差アテンション**です。文が自分自身を見るなら**自己アテンション**で、どちらにも同じ関数が使えます。
#
# **予想しよう。** 今度は記号を選んで、引用符で囲んで書いてください。

# %%
ask("two_lengths", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-two_lengths", "locked": true, "schema_version": 3, "solution": false, "task": false}
# さて、コインの話です。クエリとキーに並ぶ数は、正にも負にも同じくらいなりやすく、大きさは 1 くらい（分散が 1）だとします。すると、数の組の積一つが散歩の一歩にあたり、内積は d_k 歩の散歩になります。

# %%
ask("wider_vectors", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-wider_vectors", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ですから、スコアを √d_k で割ります。こうすると、幅がいくつでも、スコアの大きさはまた 1 くらいになります。では、手で一つ計算してみましょう。

# %%
ask("scores_by_hand", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-scores_by_hand", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **d_k は、クエリ一つの幅です。** モデルの幅でも、単語の数でも、バリューの幅でもありません。**一つの**スコアの中で、積をいくつ足していますか。割るのは、その数の平方根です。どの幅もたまたま等しいうちは、取り違えていても気づけません。`05_multi_head` では、等しくなくなります。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "attention_scores", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_scores(Q: Tensor, K: Tensor) -> Tensor:
    """各クエリと各キーがどれだけ合うか。内積を d_k の平方根で割ったものです。

    Q (..., n_q, d_k)、K (..., n_k, d_k) -> スコア (..., n_q, n_k)。
    d_k はクエリの幅で、キーの幅も同じです。
    「...」は前に付く軸で、Q と K で等しく、なくてもかまいません。

    d_k = 4 の例：
    Q = [[2., 0., 0., 0.]]、K = [[3., 0., 0., 0.], [0., 1., 0., 0.]] -> [[3.0, 0.0]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-attention_scores", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(attention_scores)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-attention_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** 乱数のクエリとキーから作った、一万個のスコアです。d_k が小さい場合と大きい場合を重ねました。右はあなたの関数の結果そのもの、左はあなたの割り算を元に戻したものです。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-spread_of_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(3)
figure, panels = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True)
for d_k in (4, 256):
    divided = attention_scores(torch.randn(100, d_k), torch.randn(100, d_k))
    for axes, scores in zip(panels, (divided * d_k**0.5, divided), strict=True):
        style = {"histtype": "step", "linewidth": 2, "label": f"d_k = {d_k}"}
        percent = torch.full((10_000,), 0.01)  # what each of 10,000 scores counts
        axes.hist(scores.flatten(), bins=40, weights=percent, **style)
for axes, title in zip(panels, ("割らない", "√d_k で割る"), strict=True):
    axes.set(title=title, xlabel="スコア", xlim=(-50, 50))
panels[0].set_ylabel("組の割合（%）")
panels[0].legend()
picture(figure,
    "d_k = 4 と d_k = 256 のスコアのヒストグラムを重ねた二つの図。割らないと、4 ではほぼ -8 から 8"
    "、256 ではほぼ -50 から 50 に広がる。d_k の平方根で割ると、どちらもほぼ -4 から 4 に収まる。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-spread_of_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 左の図で d_k が 256 のとき、20 や 30 というスコアは少しも珍しくありません。それだけの差がつくとソフトマックスがどうなるか、1 節の図をもう一度見てください。
#
# **壊してみよう。** 割り算を抜くと、スコアから重みまでの全体はどうなるでしょうか。乱数のクエリと 10 個のキーを使い、スコアを少し動かしたとき、最も大きい重みがどれだけ反応するかを調べます。実行する前に、d_k が 2 倍になるたびに下の線がどうなるか、予想してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-lost_gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
widths = [4, 8, 16, 32, 64, 128, 256, 512, 1024]
curves = {"√d_k で割る": [], "割らない": []}
for d_k in widths:
    queries, keys = torch.randn(400, d_k), torch.randn(10, d_k)
    divided = attention_scores(queries.double(), keys.double())
    for curve, scores in zip(curves.values(), (divided, divided * d_k**0.5), strict=True):
        scores.requires_grad_()
        largest = softmax(scores).amax(dim=-1)  # of each query the largest of ten weights
        (gradient,) = torch.autograd.grad(largest.sum(), scores)
        curve.append(gradient.abs().amax(dim=-1).median().item())
figure, axes = plt.subplots(figsize=(6.5, 3.4))
for (label, curve), style in zip(curves.items(), ("o-", "s--"), strict=True):
    axes.loglog(widths, curve, style, label=label)
axes.set(xlabel="d_k（クエリ一つに並ぶ数の個数）", ylabel="勾配（スコア 1 あたりの重みの変化）")
axes.legend()
picture(figure,
    "d_k を 4 から 1024 まで横軸にとった二本の線。両軸とも対数目盛り。割ると、勾配は 0.2 のまま変わ"
    "らない。割らないと、d_k = 8 の 0.2 から、64 で約 0.04、1024 で百万分の数ほどまで、しだいに急に"
    "下がる。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-lost_gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 目盛りに気をつけてください。縦軸は、一目盛りで 10 倍違います。割り算をすれば、どんな幅のモデルでも初めから学べます。割り算がなくても、幅の狭いモデルはほとんど困りません。けれども広いモデルは、でたらめに選び終えた状態で始まり、それを選び直すための勾配がありません。割り算を忘れても小さな例ではすべてうまくいくように見えるのは、このためです。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-lost_gradient-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. バリューを混ぜる
#
# ここから先は、やわらかい検索と同じです。クエリのスコアが重みになり、その重みでバリューを混ぜます。ただし、重みの合計が 1 になる軸は、自分で決めなければなりません。誰が、誰に配るのでしょうか。
#
# **予想しよう。** とても強く尋ねるクエリと、同じくらいよく合う二つのキーがあります。

# %%
ask("two_equal_keys", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention(Q: Tensor, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
    """各クエリが受け取るもの。キーがよく合うほど大きな重みを付けた、バリューの平均です。

    Q (..., n_q, d_k)、K (..., n_k, d_k)、V (..., n_k, d_v)
    -> (出力 (..., n_q, d_v), 重み (..., n_q, n_k))。
    クエリごとの重みは、そのスコアをキーに沿ってソフトマックスにしたものです。

    Q = [[0., 0.]]、K = [[1., 2.], [3., 4.]]、V = [[10.], [20.]] -> ([[15.0]], [[0.5, 0.5]])
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-attention", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(attention)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** 英語の "The cat is sleeping" が、「猫 が 寝ている」を見ています。ベクトルは、単語ごとに四つの数を手で選びました。重みは、あなたの関数が出したものです。"the" にあたる単語がない言葉の中で、"The" は何を見つけたでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-english_looks_at_japanese", "locked": true, "schema_version": 3, "solution": false, "task": false}
english = "The / cat / is / sleeping".split(" / ")
japanese = "猫 / が / 寝ている".split(" / ")
names = {"row_name": "見る側（クエリ）", "column_name": "見られる側（キー）"}
# Four numbers a word: animal, action, grammar, going on now.
the, cat = [1.0, 0.0, 2.0, 0.0], [6.0, 0.0, 0.0, 0.0]
is_, sleeping = [0.0, 1.0, 1.0, 3.0], [0.0, 6.0, 0.0, 1.0]
Q = torch.tensor([the, cat, is_, sleeping])
K = torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
V = torch.tensor([[5.0, 1.0], [0.1, 0.2], [-1.0, 4.0]])
_, weights = attention(Q, K, V)
title = "あなたの重み：英語の単語が日本語の単語を見る"
heatmap(weights, english, japanese, title=title, **names)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-sums", "locked": true, "schema_version": 3, "solution": false, "task": false}
for sums, axis in (("行の合計：", 1), ("列の合計：", 0)):
    print(sums, [round(total, 2) for total in weights.sum(dim=axis).tolist()])

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-sums", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **行は見る側、列は見られる側です。** cat の行は、cat がどこを見ているかを表します。「猫」の列は、誰が「猫」を見ているかを表します。軸に名前のない図はたくさんあり、よく知られた教材が逆に説明していたこともあります。迷ったら、足してみましょう。重みの合計が 1 になる向きに、キーが並んでいます。もう一方の向きの合計は、1 とは限りません。

# %%
ask("bright_column", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-bright_column", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. 重みは、まだ説明ではない
#
# 重みの図は、理由のように見えます。「モデルがこう言ったのは、ここを見たからだ」と。信じる前に、重みの後に何が続くのかを考えてみましょう。

# %%
ask("large_weight", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-large_weight", "locked": true, "schema_version": 3, "solution": false, "task": false}
# あるクエリが、日本語の三つのトークンを 0.2、0.7、0.1 の重みで見ています。持ち帰るのは、重みとバリューの積です。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-weight_and_value", "locked": true, "schema_version": 3, "solution": false, "task": false}
asking = torch.tensor([[2.0, 0.0, 0.0, 0.0]])
keys = torch.zeros(3, 4)
keys[:, 0] = torch.tensor([0.2, 0.7, 0.1]).log()  # so that these will be the weights
_, weights = attention(asking, keys, V)
lengths = V.norm(dim=1)
table = torch.stack([weights[0], lengths, weights[0] * lengths])
rows = ["重み", "バリューの長さ", "重み × バリューの長さ"]
title = "どれだけ見られ、どれだけ渡したか"
heatmap(table, rows, japanese, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-weight_and_value", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 「が」の重みは飛び抜けて大きいのに、渡しているものはほとんどありません。重みの小さい「猫」が、いちばん多くを渡しています。
#
# **壊してみよう。** まったく違う二つの図が、同じことを意味する場合はあるでしょうか。二つのトークンのバリューを等しくしてみます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-two_maps", "locked": true, "schema_version": 3, "solution": false, "task": false}
equal_values = torch.stack([V[0], V[1], V[0]])  # the last is like the first
rows_of_table = []
for shares in ([0.8, 0.1, 0.1], [0.1, 0.1, 0.8]):
    keys[:, 0] = torch.tensor(shares).log()
    output, weights = attention(asking, keys, equal_values)
    rows_of_table.append(torch.cat([weights[0], output[0]]))
columns = [*japanese, "→ 1 番目", "→ 2 番目"]
title = "図は二つ、出力（→）は一つ"
heatmap(torch.stack(rows_of_table), ["一つ目の図", "二つ目の図"], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-two_maps", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 図だけを見た人は、一方では最初のトークンの話を、もう一方では最後のトークンの話を作ってしまうでしょう。モデルにとっては、何の違いもありません。
#
# > **重みが表すのは、混ぜるときにバリューが占める割合です。** そのバリューがどれだけ長いか、どちらを向いているか、後の層がそれをどう使うかは、何も言っていません。図がどこまで説明になるのかは、研究者の間でも議論が続いています（2019 年の論文「Attention is not Explanation」と、それに答えた「Attention is not not Explanation」）。原因だと言いたいなら、何かを変えて、どうなるかを見るべきです。`09_reading_attention` でそうします。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-two_maps-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. 語順はどこに？
#
# 「犬が人を噛む」と「人が犬を噛む」では、話が逆です。単語を一つずつベクトルにして、位置は何も足さずに、あなたの `attention` で文に自分自身を見させます。

# %%
ask("who_bit_whom", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-who_bit_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次のセルは、二つの文での「噛む」の出力（四つの数）を並べます。初めの二行は位置なし、次の二行は、02 のように場所ごとのベクトルを足したものです。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-who_bites", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(205)
dog_bites_man = "犬 / が / 人 / を / 噛む".split(" / ")
man_bites_dog = "人 / が / 犬 / を / 噛む".split(" / ")
vectors = {word: torch.randn(4) for word in dog_bites_man}  # one for each word
places = torch.randn(5, 4)  # one for each place


def without_positions(x):
    return attention(x, x, x)[0]


def with_positions(x):
    return without_positions(x + places)


rows, of_the_verb = [], []
for look, name in ((without_positions, "位置なし"), (with_positions, "位置あり")):
    for sentence in (dog_bites_man, man_bites_dog):
        x = torch.stack([vectors[word] for word in sentence])[None]  # (1, 5, 4)
        of_the_verb.append(look(x)[0, -1])
        rows.append(" ".join(word.split(" ")[0] for word in sentence) + f" ({name})")
columns = ["数" + f" {number}" for number in (1, 2, 3, 4)]
title = "二つの文での「噛む」の出力"
heatmap(torch.stack(of_the_verb), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-who_bites", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **アテンションは、左から右へ読んでいるのではありません。** どの向きにも読んでいません。単語が一列に並んで見えるのは、**私たち**だけです。あなたの関数には、場所が出てくる行は一つもありません。語順について何かを知るためには、それがベクトルの中に入っている必要があります。
#
# ここまでは、単語一つの話でした。出力全体の並びは、どうなるでしょうか。

# %%
ask("after_shuffling", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-after_shuffling", "locked": true, "schema_version": 3, "solution": false, "task": false}
# これは、系列を系列に変えるどんな関数についても測れます。トークンを並べ替えてから関数に渡すか、先に関数に渡して、出てきたものを並べ替えるか。順序を気にしない関数なら、どちらの道を通っても同じところに着きます。二つの結果が最も離れたところの差が、**順序のギャップ**です。
#
# **予想しよう。** もう一度、紙と鉛筆の出番です。累積和は、間違いなく順序を気にします。

# %%
ask("running_sum", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "order_gap", "locked": false, "schema_version": 3, "solution": true, "task": false}
def order_gap(fn: Callable[[Tensor], Tensor], x: Tensor, permutation: Tensor) -> float:
    """トークンの並ぶ順が、fn にとってどれだけ意味を持つか。

    fn は (B, T, d) を (B, T, d) に写す関数、x は (B, T, d)、
    permutation は 0 から T - 1 を並べ替えたもの (T,) -> float。
    fn の前でトークンを並べ替えたときと、fn の後で同じように並べ替えたときの、結果の差を見ます。
    ギャップは、すべてのサンプル、位置、特徴にわたる差の絶対値の最大です。
    fn の結果がトークンと一緒に動くだけなら、丸め誤差を除いて 0 になります。

    order_gap(torch.sin, x, permutation) -> 0.0
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-order_gap", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(order_gap)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-order_gap", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** あなたの `attention` から作った関数が三つあります。丸め誤差を除いてギャップが 0 になるのはどれか、口に出してからセルを実行してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-order_gaps", "locked": true, "schema_version": 3, "solution": false, "task": false}
def looking_back_only(x):
    """Each token looks at itself and at what came before it."""
    outputs = []
    for n in range(1, x.shape[1] + 1):
        newest, seen = x[:, n - 1 : n], x[:, :n]
        outputs.append(attention(newest, seen, seen)[0])
    return torch.cat(outputs, dim=1)


order = torch.tensor([2, 1, 0, 3, 4])
functions = {"位置なし": without_positions, "位置あり": with_positions}
functions["位置なし、前だけを見る"] = looking_back_only
gaps = [order_gap(function, x, order) for function in functions.values()]
title = "三つの関数を、あなたの order_gap で測る"
heatmap(gaps, list(functions), ["順序のギャップ"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_gaps", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 三つ目は、位置をまったく使っていません。それなのにギャップがあります。前しか見られないなら、早い場所からは少しのトークンしか見えず、遅い場所からはたくさん見えるからです。次のレッスンでは未来を隠すので、このことを覚えておいてください。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_gaps-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 三つの文でまとめると
#
# 一度の積で、すべてのクエリとすべてのキーを比べますが、内積は √d_k くらいに散らばるので、それで割らないとソフトマックスが飽和し、そこを通して何も学べなくなります。重みは、クエリごとにキー全体で合計 1 になり、それでバリューを混ぜますが、一つの重みがどれだけ効くかはバリューしだいです。アテンションそのものは語順を知らず、単語を並べ替えれば、出力も同じように並べ替わるだけです。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_gaps-3", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 自分の言葉で
#
# ある人が、自分のコードから √d_k の割り算を消しました。幅 8 のベクトルを使う小さなモデルは、それでも前と同じように学習しました。そこでこう言います。「この割り算は、ただの飾りだね。」あなたならどう答えますか。幅の広いモデルでは、スコア、重み、勾配がどうなるかに触れながら、三文から五文で書いてください。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-just_decoration", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# （ここに答えを書いてください）

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-just_decoration", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次の `04_masked_softmax` では、見てはいけないものがあるクエリが出てきます。
