# ---
# jupyter:
#   attn:
#     assignment: 02_qkv_projections
#     version: 1
#     language: ja
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # 同じトークンの三つの見方
#
# 図書館で本を探すとき、まず検索窓に言葉を打ち込みます。すると、その言葉が一冊ごとのカードに書かれたことと比べられます。そして最後に持ち帰るのは、打ち込んだ言葉でもカードでもなく、本の中身です。何を尋ねるか、何を手がかりに見つけてもらうか、何を渡すか。この三つは別のものです。**文の中の単語どうしが互いを調べ合うとしたら、それぞれの「質問」「カード」「中身」は、どこから来るのでしょうか。**
#
# 例に使うのは「猫が寝る」という文です。「猫」「が」「寝る」の三つのトークンに分けます。トークンは、それぞれ `d_model` 個の数からなるベクトルです。
#
# このレッスンを終えると、次のことができるようになります。
#
# * 一つの文からでもバッチからでも、同じトークンからクエリ、キー、バリューを作れる
# * 行列がなぜ一つではなく三つ必要なのかを説明できる
# * `(in, out)` の行列と `nn.Linear` を、向きを取り違えずに行き来できる
# * 位置の情報をなぜ外から与えなければならないのかを説明できる
#
# セルは上から順に実行してください。解答セルには、何を作るのかが書いてあります。エラーを起こしている行を自分のコードに置き換え、実行してから、すぐ下のチェックを実行します。日を改めて続けるときは、もう一度いちばん上から実行しましょう。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import torch
from torch import nn
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap

check, ask = lesson("02_qkv_projections", language="ja")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. 一つの行列を、すべてのトークンに
#
# 射影は、トークンの `d_in` 個の数から新しく `d_out` 個の数を作ります。新しい数はどれも、元の数すべてに重みを付けて足したものです。その重みを並べたのが、形が `(d_in, d_out)` の行列 `W` で、どのトークンにも同じものを使います。ここではトークンは**行**です。`(T, d_in)` が一つの文、`(B, T, d_in)` が文のバッチで、先へ進むとヘッドの軸も加わります。
#
# > **本にはよく y = Wx と書いてあります。** そこではトークンは列ベクトルで、右側に立っています。コードではトークンは行で、行の数の一つ一つが **W の行**と出会います。積を書く前に、二つの形を並べてみましょう。等しくなければならないのは、どの大きさとどの大きさですか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "project", "locked": false, "schema_version": 3, "solution": true, "task": false}
def project(x, W):
    """x (..., T, d_in) の各トークンに行列 W (d_in, d_out) を掛け、(..., T, d_out) を返します。
    先頭の軸（バッチやヘッド。なくてもかまいません）はそのまま残ります。

    project([[1., 2.]], [[1., 0., 3.], [0., 1., 1.]]) は [[1., 2., 5.]] です。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-project", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(project)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-project", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. 尋ねる、見つけてもらう、渡す
#
# **自己**アテンションでは、三つとも同じ `x` から作ります。Q = XW_Q、K = XW_K、V = XW_V です。（翻訳モデルなどで使う**交差**アテンションでは、クエリは一方の文から、キーとバリューはもう一方の文から作ります。）`mha(x, x, x)` という呼び出しもよく見かけます。何も射影していないように見えますが、射影はその中で行われています。
#
# クエリとキーは、この後で数どうしを突き合わせて比べるので、幅 `d_k` が同じでなければなりません。バリューは何とも比べないので、別の幅 `d_v` でもかまいません。
#
# **予想しよう。** 次のセルを実行すると、形について質問されます。`...` の代わりに答えの記号を引用符で囲んで書き、もう一度実行してください。

# %%
ask("qkv_shapes", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "qkv", "locked": false, "schema_version": 3, "solution": true, "task": false}
def qkv(x, W_Q, W_K, W_V):
    """x (..., T, d_model) のクエリ、キー、バリューを (Q, K, V) の順に返します。
    W_Q と W_K は (d_model, d_k)、W_V は (d_model, d_v) です。
    Q と K は (..., T, d_k)、V は (..., T, d_v) になります。

    x = [[1., 2.]]、W_Q = [[1.], [0.]]、W_K = [[0.], [1.]]、W_V = [[1.], [1.]] なら
    ([[1.]], [[2.]], [[3.]]) です。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-qkv", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(qkv)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-qkv", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次の表は、誰が誰に関心を持っているかを示します。あなたの関数で作ったクエリとキーの内積を、トークンの組ごとに並べました。負の数は「それほどでもない」という意味です。「猫が寝るを見る」マスと「寝るが猫を見る」マスを比べてみてください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-who_asks_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(2)
tokens = "猫 / が / 寝る".split(" / ")
names = {"row_name": "尋ねる側（クエリ）", "column_name": "尋ねられる側（キー）"}
x = torch.randn(3, 8)
for_queries, for_keys, for_values = torch.randn(8, 5), torch.randn(8, 5), torch.randn(8, 3)
queries, keys, values = qkv(x, for_queries, for_keys, for_values)
title = "クエリとキーの内積：どのトークンがどのトークンを探しているか"
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-who_asks_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 行列を一つ節約して、質問とカードの両方に使ってはいけないのでしょうか。次のセルでは、W_Q と W_K に同じ数を使います。対角線をはさんで向かい合うマスを見比べてください。トークンがほかのトークンについて言えなくなったのは、どんなことですか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-one_matrix_for_both", "locked": true, "schema_version": 3, "solution": false, "task": false}
queries, keys, values = qkv(x, for_queries, for_queries, for_values)
title = "クエリとキーに同じ行列を使った場合"
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_matrix_for_both", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Q、K、V の中の数が何を意味するのかは、誰も決めていません。予測がよくなるような行列を学習が見つけるだけで、一つ一つの列が表すものには、たいてい人間の言葉で名前が付きません。「質問、カード、中身」は、ベクトルの役割を表す言葉であって、ベクトルに書かれている内容を表す言葉ではないのです。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_matrix_for_both-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. PyTorch での同じもの
#
# `nn.Linear(d_in, d_out)` は、自分の行列を持っている射影です。ふつうはバイアスも付いています。
#
# > **行列は逆向きに入っています。** `weight` の形は `(d_out, d_in)` で、**出力**一つにつき一行です。大きさが違えば、取り違えるとエラーになります。しかし同じ大きさだと、エラーも出ずに違う数が出てきます。この教材では、関数に渡される `W_Q` は `(in, out)` の行列、クラスの中の `W_Q` は `nn.Linear` です。
#
# 層の行列を、この教材の向きで返す関数を書いてください。それを使って学習する人のところでは、勾配が層まで届かなければなりません。数の写し方によっては、そのつながりが切れてしまいます。どんな写し方がそうでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "matrix_of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def matrix_of(linear):
    """nn.Linear の行列 W を (d_in, d_out) の形で返します。
    linear(x) は x @ W + linear.bias に等しくなります。
    ビューでもコピーでもかまいませんが、勾配は linear.weight まで届きます。

    nn.Linear(5, 3) の行列の形は (5, 3) です。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-matrix_of", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(matrix_of)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-matrix_of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 今度は、三つの射影を一つの層にまとめます。`W_Q`、`W_K`、`W_V` という名前も課題のうちです。重みは名前で保存され、名前で読み込まれるからです。`super().__init__()` の行はそのまま残してください。これがないと、PyTorch から層の中身が見えません。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "QKVProjection", "locked": false, "schema_version": 3, "solution": true, "task": false}
class QKVProjection(nn.Module):
    """バイアスなしの nn.Linear を三つ持つ層です。
    W_Q と W_K は d_model から d_k へ、W_V は d_model から d_v へ写します。
    forward(x) は (..., T, d_model) の x から (Q, K, V) を返します。

    QKVProjection(8, 5, 3)(torch.zeros(2, 4, 8)) は
    形が (2, 4, 5)、(2, 4, 5)、(2, 4, 3) のテンソルを返します。
    """

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-QKVProjection", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(QKVProjection)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-QKVProjection", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. 私はどこにいる？
#
# ここまで、どのトークンも同じように扱ってきました。それには代償があります。
#
# **壊してみよう。** 三つの単語を並べ替えて、もう一度射影します。先に予想してください。順番が変わったことに気づくのは、Q、K、V のうちどれでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-order_is_invisible", "locked": true, "schema_version": 3, "solution": false, "task": false}
order = [2, 0, 1]
shuffled = qkv(x[order], for_queries, for_keys, for_values)
straight = qkv(x, for_queries, for_keys, for_values)
differences = []
for new, old in zip(shuffled, straight, strict=True):
    differences.append((new - old[order]).abs().amax(dim=-1))
columns = [tokens[place] for place in order]
title = "並べ替えると、各トークンの数はどれだけ変わるか"
heatmap(torch.stack(differences), ["Q", "K", "V"], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_is_invisible", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 行の順番が変わっただけで、どのトークンの数も前とまったく同じです。これでは「犬が人を噛む」も「人が犬を噛む」も、同じトークンの集まりでしかありません。ですから、トークンの居場所はベクトルの**中に**書き込む必要があります。昔からあるやり方の一つは、サインとコサインを並べた行を足すことです。時計を思い浮かべてください。二つの列が一本の針にあたります。最初の針は速く回り、最後の針はほとんど動きません。時針、分針、秒針が合わさって時刻を示すように、すべての針が合わさって位置を示します。
#
# `start` は、続きのある文章のためのものです。文章の 5 番目のトークンの針は、最初の 10 行をまとめて計算しても、そこから計算を始めても、同じところを指します。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "sinusoidal_positions", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sinusoidal_positions(n, d_model, start=0):
    """位置 start ... start + n - 1 の表を float32 の (n, d_model) で返します。d_model は偶数です。
    位置を p とすると、列 2i には sin(p / 10000^(2i/d_model))、
    列 2i + 1 には同じ角度の余弦が入ります。

    sinusoidal_positions(2, 2) は [[0.0000, 1.0000], [0.8415, 0.5403]] です。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-sinusoidal_positions", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(sinusoidal_positions)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-sinusoidal_positions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# できあがった表を左の列から順に、上から下へたどってみましょう。この八つの位置の間に、それぞれの列の符号は何回変わりますか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-clock_hands", "locked": true, "schema_version": 3, "solution": false, "task": false}
columns = ["列" + f" {number}" for number in range(6)]
rows = [str(place) for place in range(8)]
title = "あなたの表：列二つで一本の針"
heatmap(sinusoidal_positions(8, 6), rows, columns, row_name="位置", title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-clock_hands", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 三つの文でまとめると
#
# 同じトークンから、三つの行列がクエリ（探すもの）、キー（見つけてもらう手がかり）、バリュー（渡すもの）を作ります。二つの役割を一つの行列で済ませると、両者はいつも同じものになり、学習しても分かれません。射影はどのトークンも同じように扱うので、トークンの居場所は外から与える必要があります。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-clock_hands-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 自分の言葉で
#
# `mha(x, x, x)` を見たばかりの人が言いました。「クエリもキーもバリューも、結局は同じものが三つ並んでいるだけですね。」あなたならどう答えますか。三文から五文で書いてください。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-three_times_the_same", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# （ここに答えを書いてください）

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-three_times_the_same", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次の `03_scaled_dot_product` では、いよいよクエリとキーを比べ、バリューを混ぜます。
