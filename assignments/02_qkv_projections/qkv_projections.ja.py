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
# * 行列がなぜ一つではなく三つ必要なのか、減らすと何が失われるのかを説明できる
# * `(in, out)` の行列と `nn.Linear` を、向きを取り違えずに行き来できる
# * 位置の情報をなぜ外から与えなければならないのかを説明し、実際に与えられる
#
# `01_soft_lookup` から持ってくるのは、一つの考え方だけです。**クエリ**を一つ一つの**キー**と内積で比べ、キーがよく合うほど、その**バリュー**を多く持ち帰る。ほかに必要なことは、すべてここで説明します。ここからは、NumPy の配列の代わりに PyTorch の**テンソル**を使います。`@` も添字も形も、配列と同じように考えてかまいません。
#
# セルは上から順に実行してください。解答セルには、何を作るのかが書いてあります。エラーを起こしている行を自分のコードに置き換え、実行してから、すぐ下のチェックを実行します。日を改めて続けるときは、もう一度いちばん上から実行しましょう。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import matplotlib.pyplot as plt
import torch
from torch import nn
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

check, ask = lesson("02_qkv_projections", language="ja")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. 一つの行列を、すべてのトークンに
#
# 射影は、トークンの `d_in` 個の数から新しく `d_out` 個の数を作ります。新しい数はどれも、元の数すべてに重みを付けて足したものです。その重みを並べたのが、形が `(d_in, d_out)` の行列 `W` です。**入る数一つにつき一行、出る数一つにつき一列**です。どのトークンにも同じ行列を使います。ここではトークンは行です。`(T, d_in)` が一つの文、`(B, T, d_in)` が文をいくつかまとめた**バッチ**で、先へ進むとヘッドの軸も加わります。
#
# **予想しよう。** 紙と鉛筆を用意してください。次のセルを実行すると問題が出ます。`...` の代わりに、三つの数をリストにして書いておきましょう。関数ができたらもう一度実行すると、予想と結果が比べられます。

# %%
ask("project_by_hand", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-project_by_hand", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
# **見てみよう。** 「猫が寝る」と「犬が寝る」の二つの文を、一つのバッチにしてあなたの関数に通します。実行する前に考えてください。等しくなるのはどの行とどの行でしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-one_matrix_two_sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(2)
tokens = "猫 / が / 寝る".split(" / ")
cat, ga, sleeps, dog = torch.randn(4, 8)  # a vector of 8 numbers for each word
x = torch.stack([cat, ga, sleeps])
batch = torch.stack([x, torch.stack([dog, ga, sleeps])])  # (2, 3, 8): two sentences
projected = project(batch, torch.randn(8, 4))  # (2, 3, 4)
rows = [f"{sentence}: {token}" for sentence in (1, 2) for token in tokens]
rows[3] = "2: " + "犬"
columns = ["数" + f" {column}" for column in range(4)]
title = "二つの文をあなたの project に通すと：トークンごとに四つの新しい数"
heatmap(projected.flatten(0, 1), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_matrix_two_sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 射影は、トークンを一つずつしか見ません。「が」は、自分の前にいるのが猫なのか犬なのかを知りません。それがわかるのは、トークンどうしが互いを見るようになってからです。
#
# **壊してみよう。** 今度は幅 3 のトークンが三つです。これなら積の左右を入れ替えても形が合い、どちらもエラーになりません。「が」だけを変えて、各トークンの結果がどれだけ動くかを測ります。「一つずつしか見ない」のなら、表はどうなるはずですか。それはどちらの行でしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-tokens_get_mixed", "locked": true, "schema_version": 3, "solution": false, "task": false}
square = torch.randn(3, 3)
three_by_three = torch.randn(3, 3)  # three tokens of width 3: both orders fit
with_other_ga = three_by_three.clone()
with_other_ga[1] += 1.0  # only が changes
moved = [
    project(with_other_ga, square) - project(three_by_three, square),
    square @ with_other_ga - square @ three_by_three,
]
title = "「が」を変えたとき、各トークンの結果が動く大きさ"
heatmap(torch.stack(moved).abs().amax(dim=-1), ["project(x, W)", "W @ x"], tokens, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-tokens_get_mixed", "locked": true, "schema_version": 3, "solution": false, "task": false}
# もう一方の行では、一つしか変えていないのに、すべてのトークンが動きました。その積は、トークンの中の数ではなく**トークンどうし**を足し合わせているのです。幅 3 のトークンが五つなら、エラーになって気づけたでしょう。大きさがたまたま等しいと、間違いは黙ったままです。自分のコードは、大きさがすべて違う例で試しましょう。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-tokens_get_mixed-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. 尋ねる、見つけてもらう、渡す
#
# **自己**アテンションでは、三つとも同じ `x` から作ります。Q = XW_Q、K = XW_K、V = XW_V です。「自己」というのは、文が自分自身を見るという意味です。どのトークンもすべてのトークンに尋ね、同時に、尋ねてくるすべてのトークンに答えます。相手には自分自身も含まれます。
#
# クエリとキーは、この後で数どうしを突き合わせて比べるので、幅 `d_k` が同じでなければなりません。バリューは何とも比べないので、別の幅 `d_v` でもかまいません。
#
# **予想しよう。** 今度は記号を一つ選び、引用符で囲んで `...` の代わりに書いてください。

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
# **見てみよう。** 次の表は、誰が誰に関心を持っているかを示します。あなたの関数で作ったクエリとキーの内積を、トークンの組ごとに並べました。負の数は「それほどでもない」という意味です。行列は乱数なので、数の意味を読み取ろうとせず、**組**に注目してください。「猫が寝るを見る」マスと「寝るが猫を見る」マスを比べてみましょう。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-who_asks_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
names = {"row_name": "尋ねる側（クエリ）", "column_name": "尋ねられる側（キー）"}
for_queries, for_keys = torch.randn(2, 8, 5) / 3
for_values = torch.randn(8, 3) / 3
queries, keys, values = qkv(x, for_queries, for_keys, for_values)
title = "クエリとキーの内積：どのトークンがどのトークンを探しているか"
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-who_asks_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 関心は、お互いに同じとは限りません。そしてそれでよいのです。動詞は主語を熱心に探すのに、主語のほうは別のものを探している、ということがあるからです。
#
# **自己か、交差か。** 翻訳モデルが「猫が寝る」を読み、ここまで「The cat」と書いたとします。次に何を書くかは両方の文で決まるので、英語のトークンが尋ね、日本語のトークンが答えます。これが**交差**アテンションです。使う関数は同じで、入れるものが違うだけです。

# %%
ask("cross_results", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-from_another_sentence", "locked": true, "schema_version": 3, "solution": false, "task": false}
written = "The / cat".split(" / ")  # what the translator has written so far
written_x = torch.randn(2, 8)
asking, _, _ = qkv(written_x, for_queries, for_keys, for_values)
_, found_by, handed_on = qkv(x, for_queries, for_keys, for_values)
title = "書いている途中の文が尋ね、読み終えた文が答える"
heatmap(asking @ found_by.T, written, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-from_another_sentence", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 行列を一つ節約して、質問とカードの両方に使ってはいけないのでしょうか。まず、トークンが自分自身と出会う対角線について考えてください。

# %%
ask("diagonal_of_one_matrix", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-one_matrix_for_both", "locked": true, "schema_version": 3, "solution": false, "task": false}
queries, keys, values = qkv(x, for_queries, for_queries, for_values)
title = "クエリとキーに同じ行列を使った場合"
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_matrix_for_both", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 対角線をはさんで向かい合うマスが、どれも等しくなりました。誰かを探せば、相手からも同じだけ探されるということです。しかも対角線には 2 乗の和が並びます。学習すれば何とかなるのでしょうか。六つの単語に、輪になって互いを見つけることを学ばせてみます。どの単語も一つ次の単語を探し、最後の単語は最初の単語を探します。損失は外れ具合を表し、0 なら完璧です。（単位のナットは、自然対数で測ったことを表します。）

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-learning_with_one_matrix", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(2)
six_words = torch.randn(6, 8)
next_one = torch.tensor([1, 2, 3, 4, 5, 0])  # whom each of the six is to find


def training(shared):
    """The loss at each step, with one matrix for queries and keys, or with two."""
    torch.manual_seed(3)
    matrices = [(torch.randn(8, 5) / 6).requires_grad_() for _ in range(1 if shared else 2)]
    optimizer = torch.optim.Adam(matrices, lr=0.03)
    losses = []
    for _ in range(300):
        asked, answered, _ = qkv(six_words, matrices[0], matrices[-1], for_values)
        loss = nn.functional.cross_entropy(asked @ answered.T, next_one)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


figure, axes = plt.subplots(figsize=(6.5, 3.5))
axes.plot(training(shared=True), "--", label="クエリとキーに行列一つ")
axes.plot(training(shared=False), label="行列二つ")
axes.axhline(math.log(6), color="k", linestyle=":", label="六つから当てずっぽう")
axes.set(xlabel="学習ステップ", ylabel="損失（ナット／単語）", ylim=(0, 2.5))
axes.legend(loc="right", bbox_to_anchor=(1, 0.4))
picture(figure,
    "300 ステップの学習での損失の曲線が二本。行列が二つなら 40 ステップほどで 0 まで下がる。クエリ"
    "とキーに行列が一つだけだと 1.5 あたりで止まり、当てずっぽうを表す 1.79 の点線より少し低いだけ"
    "である。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-learning_with_one_matrix", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 行列が二つあれば、あっという間に学習できます。一つだけだと、いくら待っても、六つから当てずっぽうに選ぶのとあまり変わりません。輪の中では、「私があなたを探す」からといって「あなたが私を探す」ことになってはいけません。行列が一つでは、まさにその区別ができないのです。バリューまで同じ行列に通せば、どの単語も、見つけてもらうための手がかりをそのまま渡すことしかできなくなります。
#
# > **`mha(x, x, x)` は「同じものが三つ」ではありません。** PyTorch のドキュメントでよく見かける呼び出しで、クエリもキーもバリューも等しいように見えます。けれども渡しているのは、その三つを作る**材料**です。三つの行列は中にあり、縦に積み重ねられています。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-inside_mha", "locked": true, "schema_version": 3, "solution": false, "task": false}
mha = nn.MultiheadAttention(8, num_heads=1, bias=False)
for name, weight in mha.named_parameters():
    print(f"{name:16}", tuple(weight.shape))

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-inside_mha", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 24 行のうち、クエリを作るのはどの部分でしょうか。（二つ目の行列の役目は、`05_multi_head` で出てきます。）
#
# > **「質問、カード、中身」は役割であって、意味ではありません。** クエリを「私は動詞です。主語はどこですか」という文のように、一つの列を「どれくらい複数らしいか」のように読みたくなります。しかし、数の意味は誰も決めていません。予測がよくなるような行列を学習が見つけるだけで、ほとんどの列には、人間の言葉で名前が付きません。
#
# このことは、確かめることもできます。比べる前に、すべてのクエリとすべてのキーを、同じ一つの回転で回してみます。

# %%
ask("turned_together", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-turned_together", "locked": true, "schema_version": 3, "solution": false, "task": false}
turn, _ = torch.linalg.qr(torch.randn(5, 5))  # keeps every length and every angle
queries, keys, _ = qkv(x, for_queries, for_keys, for_values)
turned_queries, turned_keys, _ = qkv(x, for_queries @ turn, for_keys @ turn, for_values)
change = (turned_queries @ turned_keys.T - queries @ keys.T).abs().max()
print("スコアの変化（最大）", f"{change:.5f}")
columns = ["数" + f" {column}" for column in range(5)]
rows = ["回す前", "回した後"]
title = "「猫」のクエリ"
heatmap(torch.stack([queries[0], turned_queries[0]]), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-turned_together", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 五つの数はどれも変わったのに、スコアは一つも変わりません。同じアテンションになる行列の組は、無数にあります。ですから、Q の一つの列だけに決まった意味があるはずはないのです。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-turned_together-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. PyTorch での同じもの
#
# `nn.Linear(d_in, d_out)` は、自分の行列を持っている射影です。ふつうはバイアスも付いています。
#
# > **行列は逆向きに入っています。** `weight` の形は `(d_out, d_in)` で、**出力**一つにつき一行です。この教材では、関数に渡される `W_Q` は `(in, out)` の行列、クラスの中の `W_Q` は `nn.Linear` です。
#
# **予想しよう。** それを知らない人には、何が起こるでしょうか。

# %%
ask("square_weight", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-square_weight", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 層の行列を、この教材の向きで返す関数を書いてください。学習のとき、PyTorch は計算を逆にたどり、行列の数をどちらへ動かせば損失が減るかを求めます。これが**勾配**です。あなたの行列で計算しても、勾配は元の層まで届かなければなりません。数の写し方によっては、そのつながりが切れてしまいます。どんな写し方がそうでしょうか。

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
# **見てみよう。** 4 から 2 への層と、あなたの行列です。四つの数が入るので、四行あります。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-two_orientations", "locked": true, "schema_version": 3, "solution": false, "task": false}
linear = nn.Linear(4, 2)
print("linear.weight       ", tuple(linear.weight.shape))
print("matrix_of(linear)   ", tuple(matrix_of(linear).shape))
rows = ["入力" + f" {number}" for number in range(4)]
columns = ["出力" + f" {number}" for number in range(2)]
title = "nn.Linear(4, 2) から取り出したあなたの行列"
heatmap(matrix_of(linear), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-two_orientations", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 今度は層の重みを、入っているままの向きで使ってみます。大きさが等しい場合と、そうでない場合です。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-no_error_where_sizes_agree", "locked": true, "schema_version": 3, "solution": false, "task": false}
for d_in, d_out in ((3, 3), (4, 2)):
    linear = nn.Linear(d_in, d_out, bias=False)
    some_x = torch.randn(5, d_in)
    print(f"nn.Linear({d_in}, {d_out})")
    candidates = {"matrix_of(linear)": matrix_of(linear), "linear.weight": linear.weight}
    for name, matrix in candidates.items():
        try:
            gap = (project(some_x, matrix) - linear(some_x)).abs().max()
            print(f"  {name:18}", "層の出力との差", f"{gap:.2f}")
        except (RuntimeError, ValueError, IndexError) as error:
            print(f"  {name:18}", f"{type(error).__name__}: {error}")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-no_error_where_sizes_agree", "locked": true, "schema_version": 3, "solution": false, "task": false}
# エラーが出るのは、まだ親切なほうです。もう一方は、学習も、保存も、読み込みもできて、そのうえで本来とは違う数を出し続けます。
#
# 今度は、三つの射影を一つの層にまとめます。`W_Q`、`W_K`、`W_V` という名前も課題のうちです。重みは名前で保存され、名前で読み込まれるからです。`super().__init__()` の行はそのまま残してください。これがないと、PyTorch は中に層を入れさせてくれません。

# %%
ask("numbers_to_train", answer=...)

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
# **見てみよう。** ここまでに書いたものが、一つの表にそろいます。層が「猫が寝る」を射影し、あなたの関数も、層から取り出した行列で同じことをします。セルは、層を保存したファイルに何が入るかを並べ、それから二つの結果がどれだけ離れているかを示します（丸め誤差は除きます）。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-layer_and_functions", "locked": true, "schema_version": 3, "solution": false, "task": false}
layer = QKVProjection(8, 5, 3)
for name, weight in layer.state_dict().items():
    print(name, tuple(weight.shape))
matrices = [matrix_of(linear) for linear in (layer.W_Q, layer.W_K, layer.W_V)]
pairs = zip(layer(x), qkv(x, *matrices), strict=True)
gaps = [(one - other).abs().max().item() for one, other in pairs]
title = "あなたの層と、あなたの関数"
heatmap([gaps], ["差の最大"], ["Q", "K", "V"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-layer_and_functions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 部品をただの Python のリストに入れておいても、層は同じように動きます。少なくとも、初めのうちは。ところが PyTorch は、学習する数をモジュールの属性から探し出し、リストの中までは見ません。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-layers_in_a_list", "locked": true, "schema_version": 3, "solution": false, "task": false}
class Forgetful(nn.Module):
    """Keeps its layers where PyTorch does not look."""

    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 5), nn.Linear(8, 3)]


for module in (QKVProjection(8, 5, 3), Forgetful()):
    numbers = sum(parameter.numel() for parameter in module.parameters())
    print(f"{type(module).__name__:14}", "学習する数の個数", numbers)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-layers_in_a_list", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 大きなモデルの一部にすると、周りが学習していくなかで、この層の数だけが最初のまま残ります。それを教えてくれるエラーも出ません。（`nn.ModuleList` なら、PyTorch は中まで見ます。）

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-layers_in_a_list-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. 私はどこにいる？
#
# ここまで、どのトークンも同じように扱ってきました。それには代償があります。
#
# **予想しよう。** 三つの単語を並べ替えて、もう一度射影します。

# %%
ask("who_notices", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-order_is_invisible", "locked": true, "schema_version": 3, "solution": false, "task": false}
order = [2, 0, 1]
columns = [tokens[place] for place in order]


def differences(one, other):
    """How far each token's Q, K and V in the shuffled sentence are from what they were."""
    pairs = zip(qkv(one, *matrices), qkv(other, *matrices), strict=True)
    return torch.stack([(new - old[order]).abs().amax(dim=-1) for new, old in pairs])


title = "並べ替えると、各トークンの数はどれだけ変わるか"
heatmap(differences(x[order], x), ["Q", "K", "V"], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_is_invisible", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 行の順番が変わっただけで、どのトークンの数も前とまったく同じです。これでは「犬が人を噛む」も「人が犬を噛む」も、同じトークンの集まりでしかありません。ですから、トークンの居場所は、射影する前に、ベクトルの**中に**書き込んでおく必要があります。
#
# 昔からあるやり方の一つは、サインとコサインを並べた行を足すことです。時計を思い浮かべてください。二つの列が一本の針にあたります。最初の針は速く回り、最後の針はほとんど動きません。時針、分針、秒針が合わさって時刻を示すように、すべての針が合わさって位置を示します。
#
# > **なぜ 0、1、2、3、…… をそのまま足さないのでしょうか。** 5000 番目まで来ると、残るのは位置ばかりで、トークンは埋もれてしまいます。サインとコサインは、どこまで行っても -1 から 1 の間に収まります。
#
# **予想しよう。** すべての針は、そろって動き始めます。いちばん最初の行には、何が並ぶでしょうか。

# %%
ask("position_zero", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-position_zero", "locked": true, "schema_version": 3, "solution": false, "task": false}
# `start` は、続きのある文章のためのものです。文章の 5 番目のトークンの針は、最初の 10 行をまとめて計算しても、そこから計算を始めても、同じところを指します。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "sinusoidal_positions", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sinusoidal_positions(n, d_model, start=0):
    """位置 start ... start + n - 1 の表を float32 の (n, d_model) で返します。d_model は偶数です。
    位置を p とすると、列 2i には sin(p / 10000^(2i/d_model))、
    列 2i + 1 には同じ角度のコサインが入ります。

    sinusoidal_positions(2, 2) は [[0.0000, 1.0000], [0.8415, 0.5403]] です。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-sinusoidal_positions", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(sinusoidal_positions)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-sinusoidal_positions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** まず、あなたの表の列を四つ、曲線にしてみます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-clock_hands", "locked": true, "schema_version": 3, "solution": false, "task": false}
hands = sinusoidal_positions(40, 16)
figure, axes = plt.subplots(figsize=(6.5, 3.5))
for column, style in ((0, ".-"), (2, "--"), (4, "-."), (8, ":")):
    axes.plot(hands[:, column], style, label="列" + f" {column}")
axes.set(xlabel="位置", ylabel="値")
axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
picture(figure,
    "40 個の位置にわたる、表の四つの列の曲線。列 0 は六回以上、列 2 は二回上下し、列 4 は半周あま"
    "り、列 8 は上がり始めたところである。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-clock_hands", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 列 0 は、位置が六つほど進むたびに一周します。これだけでは、位置 1 と位置 7 がほとんど区別できません。列 8 は、位置が四十進んでもまだ動き始めたばかりです。これだけでは、位置 1 と位置 2 がほとんど区別できません。
#
# 次は、64 個の位置の表全体を上から眺めた図です。それぞれの行が、その位置のトークンに足されます。右のほうが縞模様になるのは、針がほとんど動かず、0 に近いサインと 1 に近いコサインが交互に並ぶからです。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-position_map", "locked": true, "schema_version": 3, "solution": false, "task": false}
figure, axes = plt.subplots(figsize=(6.5, 4))
shown = axes.imshow(sinusoidal_positions(64, 32), cmap="RdBu", aspect="auto")
axes.set(xlabel="列", ylabel="位置")
figure.colorbar(shown, label="値")
picture(figure,
    "表全体の図。縦に 64 個の位置、横に 32 個の列。左の列は行ごとに変わり、右の列は上から下までほと"
    "んど変わらない。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-position_map", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 同じ行は二つとありません。それだけではないのです。二つの位置を選び、その行とほかのすべての行との内積をとってみます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-near_and_far", "locked": true, "schema_version": 3, "solution": false, "task": false}
table = sinusoidal_positions(64, 32)
figure, axes = plt.subplots(figsize=(6.5, 3))
for place, style in ((20, "-"), (40, "--")):
    axes.plot(table @ table[place], style, label="基準の位置" + f" {place}")
axes.set(xlabel="位置", ylabel="二つの行の内積")
axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
picture(figure,
    "同じ形の曲線が二本。それぞれ自分の位置 20 と 40 で最大の 16 になり、両側で急に下がって、その先"
    "は 6 から 12 の間で揺れる。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-near_and_far", "locked": true, "schema_version": 3, "solution": false, "task": false}
# どの位置からも、いちばん近いのは自分自身で、次が隣の位置です。しかも二つの曲線は、ずらせば同じ形をしています。ものを言うのは、どこにいるかではなく、どれだけ離れているかです。だからクエリは、「私の一つ前の単語」といったものを探すことができます。
#
# **壊してみよう。** 文章を書くモデルには、新しいトークンが一つずつ、位置と一緒にやって来ます。ここでは六つの行を一つずつ、`start` を使う場合と使わない場合とで作ります。それぞれ、本来の行からどれだけ離れるでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-restarted", "locked": true, "schema_version": 3, "solution": false, "task": false}
whole = sinusoidal_positions(6, 8)
with_start = torch.cat([sinusoidal_positions(1, 8, start=place) for place in range(6)])
without_start = torch.cat([sinusoidal_positions(1, 8) for _ in range(6)])
gaps = torch.stack([with_start - whole, without_start - whole]).abs().amax(dim=-1)
columns = ["位置" + f" {place}" for place in range(6)]
title = "本来の表の行から、どれだけ離れているか"
heatmap(gaps, ["一つずつ（start あり）", "一つずつ（start なし）"], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-restarted", "locked": true, "schema_version": 3, "solution": false, "task": false}
# `start` がないと、どのトークンも自分が先頭だと思い込みます。エラーは何も出ず、文章だけがだんだんおかしくなっていきます。
#
# 最後に、先ほどの並べ替えの実験を、今度は位置を足してからもう一度やってみます。先頭に来たトークンには位置 0 の行を、その次には位置 1 の行を足します。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-order_is_visible", "locked": true, "schema_version": 3, "solution": false, "task": false}
places = sinusoidal_positions(3, 8)
columns = [tokens[place] for place in order]
title = "位置を足してから並べ替えると、各トークンの数はどれだけ変わるか"
heatmap(differences(x[order] + places, x + places), ["Q", "K", "V"], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_is_visible", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 単語も行列も同じなのに、0 は一つもありません。Q、K、V は、自分の居場所を知ったのです。
#
# > **足しても、トークンは台なしになりません。** 足した結果は一つのベクトルで、どこまでが単語でどこからが位置なのかは、もう見分けられません。見分けられなくてよいのです。行列はこうして足されたものを使って学習し、役に立つものを取り出すようになります。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_is_visible-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 三つの文でまとめると
#
# 同じトークンから、三つの行列がクエリ（探すもの）、キー（見つけてもらう手がかり）、バリュー（渡すもの）を作ります。二つの役割を一つの行列で済ませると、両者はいつも同じものになり、どんなに学習しても分かれません。射影はどのトークンも同じように扱うので、トークンの居場所は外から足す必要があります。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_is_visible-3", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 自分の言葉で
#
# `mha(x, x, x)` を見たばかりの人が言いました。「クエリもキーもバリューも、結局は同じものが三つ並んでいるだけですね。」あなたならどう答えますか。もし本当に同じだったら何が困るのかも含めて、三文から五文で書いてください。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-three_times_the_same", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# （ここに答えを書いてください）

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-three_times_the_same", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次の `03_scaled_dot_product` では、いよいよクエリとキーを比べ、バリューを混ぜます。
