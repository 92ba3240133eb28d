# ---
# jupyter:
#   attn:
#     assignment: 01_soft_lookup
#     version: 1
#     language: ja
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # 「それ」とは何のこと？
#
# 「太郎は本を買った。それは重い。」こう聞いて、太郎が重いと思う人はいません。重いのは本です。でも、「『それ』は三番目の単語を指す」といった規則を習ったわけではありませんよね。前を振り返って、合うものを見つけただけです。**プログラムは、どうすれば振り返ることができ、何が合うのかをどうやって決めるのでしょうか。**
#
# このレッスンを終えると、次のことができるようになります。
#
# * 大きさの決まった記憶が、長い文章を読むうちに何を失うのかを説明できる
# * 辞書では何も見つからないときにも、似ているものを探し出せる
# * どんな大きさのスコアでも、好きな軸に沿って、合計 1 の分け前に変えられる
# * 三つの単語のやわらかい検索を紙と鉛筆で計算でき、同じ単語の重みが文によって変わる理由を言える
#
# 必要なのは Python と NumPy、それにベクトルの内積だけです。
#
# セルは上から順に実行してください。解答セルには、何を作るのかが書いてあります。エラーを起こしている行を自分のコードに置き換え、実行してから、すぐ下のチェックを実行します。日を改めて続けるときは、もう一度いちばん上から実行しましょう。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

check, ask = lesson("01_soft_lookup", language="ja")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. 記憶は何を忘れるか
#
# かつてのプログラムは、人の話を聞くように文章を読んでいました。単語を一つずつ順に受け取り、覚えておく場所は一つの「記憶」だけです。記憶は一本のベクトルで、単語を受け取るたびに、前の記憶とその単語から新しい記憶を計算します。（このようなプログラムを**再帰型ニューラルネットワーク**、その記憶を**隠れ状態**と呼びます。）文章を読み終えたとき、手元にあるのはそのベクトルだけです。
#
# **予想しよう。** 次のセルを実行すると、質問が出ます。`...` の代わりに答えの記号を引用符で囲んで書き、もう一度実行してください。

# %%
ask("longer_sentence", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-longer_sentence", "locked": true, "schema_version": 3, "solution": false, "task": false}
# では、測ってみましょう。最初の単語だけが違う二つの文を用意し、同じプログラムに読ませます。二つの記憶に違いがあるうちは、最初の単語が何かしら残っています。違いがなくなってしまえば、記憶だけを見て最初の単語を当てることは、もう誰にもできません。ですから、二つの記憶の距離が「どれだけ残っているか」を表します。次のセルは、そのような文を 200 組読みます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-fading_memory", "locked": true, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(1)
pairs, length, width = 200, 21, 8
ones = rng.normal(size=(pairs, length, width))  # 200 sentences of 21 words, 8 numbers a word
others = ones.copy()
others[:, 0] = rng.normal(size=(pairs, width))  # the same sentences, with another first word


def left_of_word_1(size):
    """The distance of the two memories after each word, in percent of the first one."""
    keep = rng.normal(size=(size, size)) / np.sqrt(size)
    write = rng.normal(size=(width, size)) / np.sqrt(width)
    memory = other_memory = np.zeros((pairs, size))
    distances = []
    for place in range(length):
        memory = np.tanh(memory @ keep + ones[:, place] @ write)
        other_memory = np.tanh(other_memory @ keep + others[:, place] @ write)
        distances.append(np.linalg.norm(memory - other_memory, axis=1).mean())
    return 100 * np.array(distances) / distances[0]


words_since = np.arange(length)
left = left_of_word_1(16)
figure, axes = plt.subplots(figsize=(6.5, 3.5))
axes.plot(words_since, left, "o-", label="16 個の数の記憶")
axes.plot(words_since, left_of_word_1(256), "s--", label="256 個の数の記憶")
axes.plot(words_since, np.full(length, 100), label="すべての単語のリスト")
axes.set(xlabel="最初の単語の後に読んだ単語の数（個）", ylabel="最初の単語の残り（%）")
axes.set_xticks(words_since[::2])
axes.legend()
picture(figure,
    "最初の単語の後に読んだ単語の数を横軸にした線。記憶が 16 個の数でも 256 個の数でも、残りは "
    "100% から下がり、5 個で約 10%、10 個で約 1% になる。すべての単語のリストの線は 100% のまま。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-fading_memory", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 五つ読み進めると残りは 1 割ほど、十個では 1% ほどです。記憶を 16 倍に広げても、忘れる速さは同じです。公平を期すために言うと、ここで使った行列は乱数で決めただけなので、学習すればもっと長く覚えていられるようになります。それでも、新しいものが同じ場所に次々と上書きされていくことに変わりはありません。
#
# 上のほうの水平な線は、ただのリストです。どの単語も、どれだけ前に読んだものでも、そのまま取ってあります。何も忘れません。その代わり、今度は誰かが、その中から必要な単語を**見つけ**なければなりません。ここから先は、その見つけ方の話です。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-fading_memory-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. 必ず答える辞書
#
# Python には、物を見つける仕組みがすでにあります。辞書です。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-exact_lookup", "locked": true, "schema_version": 3, "solution": false, "task": false}
legs = {"猫": 4, "鳥": 2, "魚": 0}
for animal in ("猫", "子猫"):
    print(animal, "->", legs.get(animal, "見つかりません"))

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-exact_lookup", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 辞書が調べるのは、二つのキーが**等しい**かどうかです。「子猫」は「猫」と等しくないので、見つかりません。私たちが知りたいのは、どれだけ**似ている**かです。そこで、動物をベクトルで表します。ここでは意味のわかる二つの数、毛の多さと翼の大きさを使います。（本物のモデルでは数百個の数が並び、その一つ一つに名前はありません。）

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-map_of_animals", "locked": true, "schema_version": 3, "solution": false, "task": false}
animals = ["猫", "鳥", "魚"]
animal_keys = np.array([[3.0, 0.0], [1.0, 3.0], [-1.0, -1.0]])  # fur, wings
animal_legs = np.array([[4.0], [2.0], [0.0]])
askers = ["子猫", "スズメ", "コウモリ"]
asking = np.array([[2.0, 0.0], [1.0, 2.0], [2.0, 2.0]])
arrow = {"arrowstyle": "->", "color": "#1f77b4", "linewidth": 2}
figure, axes = plt.subplots(figsize=(6.5, 4.2))
for name, (fur, wings) in zip(animals, animal_keys, strict=True):
    axes.annotate("", (fur, wings), (0, 0), arrowprops=arrow)
    axes.annotate(name, (fur, wings), (6, 6 if wings >= 0 else -12), textcoords="offset points")
axes.plot(*asking.T, "D", color="#ff7f0e")
for name, place in zip(askers, asking, strict=True):
    axes.annotate(name, place, (8, -12), textcoords="offset points")
axes.set(xlabel="毛", ylabel="翼", xlim=(-1.8, 4), ylim=(-1.6, 3.8), aspect="equal")
axes.grid()
picture(figure,
    "横軸が毛、縦軸が翼の平面。原点から出る三本の矢印がキーで、猫 (3, 0)、鳥 (1, 3)、魚 (-1, -1)。"
    "三つのひし形がクエリで、子猫 (2, 0) は猫の矢印の上、スズメ (1, 2) は鳥の矢印の近く、コウモリ "
    "(2, 2) は二本の間にある。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-map_of_animals", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 三つの言葉を覚えてください。矢印が**キー**、つまり見つけてもらうための手がかりです。ひし形が**クエリ**、つまり探しているものです。そして、見つかったときに渡されるものが**バリュー**で、ここでは足の数です。
#
# クエリとキーがどれだけ似ているかは、内積で測ります。対応する数どうしを掛けて、すべて足します。
#
# | クエリ | 猫 (3, 0) | 鳥 (1, 3) | 魚 (-1, -1) |
# |---|---|---|---|
# | 子猫 (2, 0) | **6** | 2 | -2 |
# | スズメ (1, 2) | 3 | **7** | -3 |
# | コウモリ (2, 2) | 6 | **8** | -4 |
#
# 子猫にいちばん似ているのは猫なので、猫のバリューである「足 4 本」を受け取ります。負の数は「むしろ反対」という意味です。
#
# **予想しよう。** もう一匹、紙と鉛筆で計算してみてください。セルを実行すると質問が出るので、`...` の代わりに数を書きます。関数ができたらもう一度実行しましょう。予想と結果が比べられます。

# %%
ask("flying_squirrel", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "hard_lookup", "locked": false, "schema_version": 3, "solution": true, "task": false}
def hard_lookup(query, keys, values):
    """クエリに最もよく合うキーのバリューを返します。

    query (d,)、keys (n, d)、values (n, d_v) -> バリュー (d_v,)
    i 番目のキーと i 番目のバリューが対になっています。
    最もよく合うキーとは、クエリとの内積が最大のキーです。同じ値が並んだら、先にあるほうを選びます。

    query が [1., 2.]、keys が [[3., 0.], [0., 4.]]、values が [[5., 6.], [7., 8.]] なら、
    内積は 3 と 8 なので、結果は [7., 8.] です。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-hard_lookup", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(hard_lookup)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-hard_lookup", "locked": true, "schema_version": 3, "solution": false, "task": false}
# あなたの関数を働かせてみましょう。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-three_lookups", "locked": true, "schema_version": 3, "solution": false, "task": false}
legs_found = [hard_lookup(query, animal_keys, animal_legs)[0] for query in asking]
title = "あなたの hard_lookup が渡すもの"
columns = ["毛", "翼", "見つかった足の数"]
heatmap(np.column_stack([asking, legs_found]), askers, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-three_lookups", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **内積は距離ではありません。** 二つのベクトルが同じ向きに近づくと大きくなりますが、ベクトルが長くなるだけでも大きくなります。長いキーは大きな声のようなもので、尋ねていない人の耳にまで届いてしまいます。
#
# **壊してみよう。** 鳥のキーを、向きはそのままで 4 倍の長さにします。答えが変わるのは誰でしょうか。計算してから、セルを実行してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-loud_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
loud_keys = animal_keys * np.array([[1.0], [4.0], [1.0]])  # the bird's key, four times as long
loud_found = [hard_lookup(query, loud_keys, animal_legs)[0] for query in asking]
title = "鳥のキーを長くする前と後の、見つかった足の数"
heatmap(np.column_stack([legs_found, loud_found]), askers, ["前", "後"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-loud_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 困ったところは、もう一つあります。「毛 2、翼 0」のクエリを、「毛 0、翼 2」まで少しずつ動かしていきます。その間、あなたの関数は何を渡すでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-hard_jump", "locked": true, "schema_version": 3, "solution": false, "task": false}
steps = np.linspace(0, 1, 201)
path = np.stack([2 - 2 * steps, 2 * steps], axis=1)  # from (fur 2, wings 0) to (fur 0, wings 2)
hard = [hard_lookup(query, animal_keys, animal_legs)[0] for query in path]
figure, axes = plt.subplots(figsize=(6.5, 3))
axes.plot(path[:, 1], hard, label="hard_lookup")
axes.set(xlabel="クエリの翼（毛は 2 からこれを引いた数）", ylabel="見つかった足の数")
axes.set_ylim(1.5, 4.5)
axes.legend()
picture(figure,
    "クエリの翼を 0 から 2 まで横軸にとった線。見つかった足の数は、翼が 0.8 になるまで 4 のまま動か"
    "ず、そこで一気に 2 に落ちて、その後も動かない。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-hard_jump", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ほとんどの場所では、少し動かしても何も変わりません。そして、ある一点ですべてが変わります。モデルは少しずつ学びます。自分の数をわずかに動かしてみて、結果がよくなるほうへ進むのです。この線の上では、どちらへ進めばよいのか手がかりがありません。それなら、一つに決めるのをやめて、全員に分け前を配ってはどうでしょうか。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-hard_jump-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. スコアを分け前に変える
#
# 分け前はどれも正で、合計は 1。スコア、つまり合い具合を表す数（2 節では内積）が高いものほど多くもらいます。スコアを合計で割るだけではうまくいきません。子猫の 6、2、-2 は 1、0.33、-0.33 になってしまいますし、合計が 0 だったらどうしましょう。
#
# 指数関数は、どんな数も正の数に変え、大きい数ほど大きくします。そこで、先に指数をとり、**それから**合計で割ります。これが**ソフトマックス**です。（関数の説明とチェックでは、分け前を**重み**と呼びます。）式で書くと、i 番目の分け前は exp(xᵢ) / (exp(x₁) + exp(x₂) + …) です。
#
# **予想しよう。** 指数が簡単な数になるスコアを選びました。

# %%
ask("shares_by_hand", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-shares_by_hand", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 書き始める前に、二つ注意があります。一つ目。指数はあっという間に大きくなります。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-too_large", "locked": true, "schema_version": 3, "solution": false, "task": false}
with np.errstate(over="ignore", invalid="ignore"):
    for score in (1.0, 10.0, 100.0, 700.0, 710.0):
        print(f"exp({score:g}) = {np.exp(score):.3g}")
    print("exp(710) / exp(710) =", np.exp(710.0) / np.exp(710.0))

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-too_large", "locked": true, "schema_version": 3, "solution": false, "task": false}
# スコアが二つとも 710 なら半分ずつになるはずなのに、`nan`（数ではない）が出てきました。スコアは実際に大きくなることがあります。その理由は `03_scaled_dot_product` で見ます。次の質問が、抜け道への手がかりになります。

# %%
ask("plus_a_hundred", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-plus_a_hundred", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 二つ目。スコアはよく表の形で渡されます。そのときは、どの数とどの数で分け合うのかが問題になります。
#
# > **`axis` は、足しながら歩いていく向きです。** 表では、0 番目の軸が「行」だからといって、`axis=0` が「行ごと」になるわけではありません。`axis=0` は列を上から下へ、`axis=-1` は行を左から右へ歩きます。向きを間違えても表の形は変わらず、もっともらしい分け前が、違う相手に配られます。警告は出ません。気づくには、足してみることです。

# %%
ask("shares_down_the_columns", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-shares_down_the_columns", "locked": true, "schema_version": 3, "solution": false, "task": false}
# では、書いてみましょう。三つの軸を持つ配列を渡されて、真ん中の軸を指定されることもあります。軸に沿って足すと、その軸は消えてしまいます。どの数も自分の合計と出会えるようにするには、合計はどんな形であればよいでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(x, axis=-1):
    """数の並びから重みを作ります。重みは正で、指定した軸に沿った和が 1 になります。

    x: 任意の形の float 配列 -> 形も dtype も同じ配列
    i 番目の重みは、exp(x_i) を、軸に沿ったすべての exp(x_j) の和で割ったものです。
    exp(x) をそのまま計算するとあふれてしまう大きな数でも、正しい結果を返します。

    softmax(np.array([0., 0.])) -> [0.5, 0.5]
    softmax(np.array([[0., 9.], [0., 9.]]), axis=0) -> [[0.5, 0.5], [0.5, 0.5]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-softmax", "locked": true, "points": 8.0, "schema_version": 3, "solution": false, "task": false}
check(softmax)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** コウモリのスコア 6、8、-4 にいろいろな数を掛けてから、あなたの関数に渡します。全員の分け前が等しいのはどの行ですか。事実上、一つだけを選んでいるのはどの行でしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-soft_to_hard", "locked": true, "schema_version": 3, "solution": false, "task": false}
factors = [0.0, 0.1, 0.5, 1.0, 10.0]
bat_scores = np.array([6.0, 8.0, -4.0])
rows = ["スコア ×" + f" {factor:g}" for factor in factors]
title = "コウモリのスコア 6、8、-4 に数を掛けたときの、あなたの softmax"
heatmap(softmax(np.outer(factors, bat_scores)), rows, animals, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-soft_to_hard", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 二つは、一本の道の両端だったのです。道のどのあたりに立つかは、スコアの大きさで決まります。
#
# **壊してみよう。** 2 節の表では、**行**がクエリで、クエリごとに 1 を動物たちに配るのでした。もう一方の軸に沿って配ると、どうなるでしょうか。猫をめぐって分け前を争うのは誰と誰かを考えてから、セルを実行してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-wrong_axis", "locked": true, "schema_version": 3, "solution": false, "task": false}
scores = np.array([[6.0, 2.0, -2.0], [3.0, 7.0, -3.0], [6.0, 8.0, -4.0]])
down = softmax(scores, axis=0)
columns = [*animals, "行の合計"]
title = "2 節の表を axis=0 で渡したときの、あなたの softmax"
heatmap(np.column_stack([down, down.sum(axis=1)]), askers, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-wrong_axis", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 形は正しく、数はどれも 0 と 1 の間で、コウモリがいちばん多く配る相手も鳥のままです。ところが子猫を見てください。いちばん多く配っている相手は、いちばん合わないはずの魚です。ほかの二匹には、魚がもっと合わないからです。おかしいと教えてくれるのは、行の合計です。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-wrong_axis-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. みんなが少しずつ渡す
#
# やわらかい検索は三つの段階でできています。クエリを**すべて**のキーと比べる。スコアを分け前に変える。その分け前を重みにして、**バリュー**を平均する。クエリはふつういくつもあるので、一行に一つずつ並べて、まとめて検索します。
#
# 一つ、手で計算してみましょう。文は「猫が寝る」です。文を区切った一つ一つを**トークン**と呼び、ここでは「猫」「が」「寝る」の三つです。バリューの一つ目の数は「誰が」、二つ目の数は「どうする」を表すことにします。
#
# | トークン | クエリ | キー | バリュー |
# |---|---|---|---|
# | 猫 | (0, 0) | (1, 0) | (10, 0) |
# | が | (1, 1) | (0, 1) | (0, 0) |
# | 寝る | (2, 1) | (0, 0) | (0, 10) |
#
# 「寝る」は、誰が寝るのかを探しています。
#
# | | 猫 | が | 寝る | 合計 |
# |---|---|---|---|---|
# | スコア：クエリ (2, 1) とキーの内積 | 2 | 1 | 0 | |
# | 指数 | 7.39 | 2.72 | 1.00 | 11.11 |
# | 重み | 0.67 | 0.24 | 0.09 | 1 |
#
# 持ち帰るのは 0.67 × (10, 0) + 0.24 × (0, 0) + 0.09 × (0, 10) = (6.7, 0.9) です。これで「寝る」は、何よりもまず猫のことを聞いたわけです。
#
# **予想しよう。** 「が」についても同じ計算をしてみてください。クエリは (1, 1) です。exp(1) は約 2.72 です。

# %%
ask("row_of_ga", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "soft_lookup", "locked": false, "schema_version": 3, "solution": true, "task": false}
def soft_lookup(queries, keys, values):
    """クエリごとに、すべてのバリューを混ぜ合わせます。

    queries (m, d)、keys (n, d)、values (n, d_v)
    -> (出力 (m, d_v), 重み (m, n))
    重みの i 行目は、i 番目のクエリと各キーとの内積に softmax を適用したものです。
    内積はスケールせず、そのまま使います。
    出力の i 行目は、その重みによるバリューの平均です。
    float32 と float64 が混ざると、NumPy と同じく結果は float64 になります。

    queries が [[0., 0.]]、keys が [[1., 2.], [3., 4.]]、values が [[2.], [6.]] なら、
    重みは [[0.5, 0.5]]、出力は [[4.]] です。
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-soft_lookup", "locked": true, "points": 7.0, "schema_version": 3, "solution": false, "task": false}
check(soft_lookup)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-soft_lookup", "locked": true, "schema_version": 3, "solution": false, "task": false}
# あなたの関数が出した、九つの重みです。いま一緒に計算した行と、自分で計算した行を探してください。「猫」は何を探しているのでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-three_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
tokens = "猫 / が / 寝る".split(" / ")
names = {"row_name": "見る側（クエリ）", "column_name": "見られる側（キー）"}
token_queries = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
token_keys = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
token_values = np.array([[10.0, 0.0], [0.0, 0.0], [0.0, 10.0]])  # who, what happens
output, weights = soft_lookup(token_queries, token_keys, token_values)
title = "あなたの重み：どの行も、1 を分け合う"
heatmap(weights, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-three_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
# それぞれのトークンが持ち帰ったものは、次のとおりです。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-three_outputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
title = "あなたの出力：それぞれのトークンが持ち帰るもの"
heatmap(output, tokens, ["誰が", "どうする"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-three_outputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **出てくるのは、どのバリューでもありません。** `hard_lookup` は、表にあるものをそのまま渡します。やわらかい検索が渡すのは、バリューを混ぜ合わせた、その間のどこかの値です。（子猫の足は約 3.96 本になります。）これは誤差ではありません。混ぜ合わせるからこそ、クエリが少し動けば、答えも少しだけ動くのです。
#
# **見てみよう。** 破線は先ほど見たものです。実線の上のどこにいれば、モデルは進む方向を知ることができるでしょうか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-soft_slope", "locked": true, "schema_version": 3, "solution": false, "task": false}
soft = soft_lookup(path, animal_keys, animal_legs)[0][:, 0]
figure, axes = plt.subplots(figsize=(6.5, 3))
axes.plot(path[:, 1], hard, "--", label="hard_lookup")
axes.plot(path[:, 1], soft, label="soft_lookup")
axes.set(xlabel="クエリの翼（毛は 2 からこれを引いた数）", ylabel="見つかった足の数")
axes.set_ylim(1.5, 4.5)
axes.legend()
picture(figure,
    "クエリの翼を 0 から 2 まで横軸にとった二本の線。破線の hard_lookup は、翼 0.8 のところで足 4 "
    "本から 2 本へ飛ぶ。実線の soft_lookup は、ほぼ 4 からほぼ 2 までなめらかに下がり、同じ場所で最"
    "も急になる。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-soft_slope", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. 決まった規則はない
#
# 「甘い」は、りんごについて言えば味のこと、先生について言えば厳しくないという意味です。しかし単語の一覧の中では、ベクトルは一つだけ。ですからクエリも一つだけです。

# %%
ask("same_word", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-same_word", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 「甘い」のクエリは食べ物を探し、それより少し弱く、人も探します。「この りんご は 甘い」と「この 先生 は 甘い」を比べてみましょう。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-one_word_two_sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
meanings = {  # key and value of a word: food, person; all other words have zeros
    "りんご": [1.0, 0.0],
    "先生": [0.0, 1.0],
}
amai = np.array([[3.0, 2.0]])  # the one query of 甘い: food, and a little less a person


def look_from_amai(sentence):
    """Weights of the words, then what is handed over."""
    entries = np.array([meanings.get(word, [0.0, 0.0]) for word in sentence])
    handed_over, shares = soft_lookup(amai, entries, entries)
    return np.concatenate([shares[0], handed_over[0]])


about_fruit = "この / りんご / は / 甘い".split(" / ")
about_person = "この / 先生 / は / 甘い".split(" / ")
columns = [about_fruit[0], "名詞", *about_fruit[2:], "→ 食べ物", "→ 人"]
title = "二つの文での「甘い」の重みと、持ち帰るもの（→）"
rows = ["この りんご は 甘い", "この 先生 は 甘い"]
seen_from_amai = np.stack([look_from_amai(about_fruit), look_from_amai(about_person)])
heatmap(seen_from_amai, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_word_two_sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 「甘い」のための規則は、誰も書いていません。重みはその場で、たまたま居合わせた単語から作られました。だから、持ち帰ったものも文によって違います。**やってみよう。** 下に自分でセルを一つ足してください。`look_from_amai(about_fruit[:3] + about_person)` とすると、りんごと先生の**両方**が出てくる文を読ませることができます。重みはどこへ行きますか。次に、このリストを `[::-1]` で逆順にしてみましょう。何が変わるでしょうか。
#
# 最初の話に戻ります。「太郎は本を買った」に続けて「それは重い」、あるいは「彼は嬉しい」。二つのクエリが、同じ五つの単語を振り返ります。それぞれの行でどの列がいちばん濃くなるか、指で押さえてからセルを実行してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-pronouns", "locked": true, "schema_version": 3, "solution": false, "task": false}
bought = "太郎 / は / 本 / を / 買った".split(" / ")
bought_keys = np.zeros((5, 2))
bought_keys[0] = [1.0, 0.0]  # a person
bought_keys[2] = [0.0, 1.0]  # a thing
pronoun_queries = np.array([[0.0, 4.0], [4.0, 0.0]])
_, found = soft_lookup(pronoun_queries, bought_keys, bought_keys)
title = "あなたの重み：二つの代名詞（行）が、五つの単語（列）を振り返る"
heatmap(found, ["それ", "彼"], bought, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-pronouns", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 何を確かめて、何を確かめていないかを、はっきりさせておきましょう。ここでのベクトルは、正しい単語が見つかるように手で選んだものです。モデルがどうやってそのようなベクトルを手に入れるのかは、`02_qkv_projections` で扱います。しかし、振り返る仕組みのほうは、すべてあなたの書いたコードです。
#
# **壊してみよう。** 「本」と「それ」の間に、関係のない単語をどんどん挟んでいきます。「本」の重みを、1 節の記憶に残っていたものと比べてみてください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-far_away", "locked": true, "schema_version": 3, "solution": false, "task": false}
weight_of_noun = []
for between in range(length):
    keys_so_far = np.zeros((1 + between, 2))  # words of no interest, and first of all
    keys_so_far[0] = [0.0, 1.0]  # the noun
    _, found = soft_lookup(pronoun_queries[:1], keys_so_far, keys_so_far)
    weight_of_noun.append(100 * found[0, 0])
figure, axes = plt.subplots(figsize=(6.5, 3.5))
axes.plot(words_since, weight_of_noun, "o-", label="soft_lookup：「本」の重み")
axes.plot(words_since, left, "s--", label="16 個の数の記憶")
axes.set(xlabel="間にある単語の数（個）", ylabel="重み、最初の単語の残り（%）", ylim=(0, 105))
axes.set_xticks(words_since[::2])
axes.legend()
picture(figure,
    "間にある単語の数を 0 から 20 まで横軸にとった二本の線。やわらかい検索での「本」の重みは、100% "
    "から 73% までゆっくり下がる。記憶に残るものは、10 個でほとんどなくなる。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-far_away", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 検索にとって、単語が**どれだけ遠いか**は関係ありません。関係するのは、重みを分け合う相手が**いくつあるか**だけで、クエリがもっと強く尋ねれば、ほかの単語の取り分は減ります。代わりに、別のところで代償を払います。すべてを振り返るには、すべてを取っておき、すべてと比べなければなりません。その費用は `06_complexity` で数えます。
#
# > **「検索」というたとえが成り立つのは、ここまでです。** 図書館では、カードを人が書き、利用者は言葉で尋ね、本を一冊受け取ります。ここでは、キーを書く人も、言葉で尋ねる人もいません。三つとも学習が見つけた数で、その多くに名前はありません。受け取るのも一つではなく、いつも全部を少しずつで、合うものが何もないときでもそうです。そして、表はどこかに保管されているわけではありません。文そのものが表で、文ごとに新しく作られます。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-far_away-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 三つの文でまとめると
#
# 大きさの決まった記憶は、読んだものを上書きしてしまうので、単語はすべて取っておいて、検索するほうがうまくいきます。やわらかい検索は、クエリとすべてのキーを内積で比べ、スコアをソフトマックスで分け前に変え、それを重みにしてバリューを平均します。重みに決まった規則はなく文ごとに作られるので、同じ単語でも、文が違えば見る相手も持ち帰るものも変わります。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-far_away-3", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 自分の言葉で
#
# Python の辞書に詳しい友だちが、「アテンションって、辞書みたいなものらしいね」と言いました。そのとおりなのはどんな点で、辞書と違うのはどんな点でしょうか。自分で考えた例を使って、三文から五文で書いてください。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-a_kind_of_dictionary", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# （ここに答えを書いてください）

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-a_kind_of_dictionary", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 次の `02_qkv_projections` では、クエリ、キー、バリューがどこから来るのかを見ます。
