# ---
# jupyter:
#   attn:
#     assignment: 06_complexity
#     version: 1
#     language: ja
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # n² の値段
#
# 「吾輩は猫である。名前はまだ無い。」夏目漱石の小説は、こう始まります。1 文字を 1 トークンとすると、この二文で 16 トークン。アテンションはそのすべてをすべてと比べるので、スコアは 256 個です。小説全体は 30 万文字を超えます。**それなら、いっそ全部を一度にモデルに読ませたらどうでしょう。値段は 2 万倍でしょうか。それとも、もっとでしょうか。**
#
# このレッスンを終えると、次のことができるようになります。
#
# * アテンションの計算の量とスコアのメモリを手で数え、PyTorch のカウンタと突き合わせられる
# * n² が効くのはいつで、ほかのもののほうが高くつくのはいつかを言える
# * GPU の上でも、意味のある時間を測れる
# * いくつかの測定値から増え方を読み取り、小さい n に惑わされていることに気づける
# * 同じアテンションの三つの計算のしかたを比べ、何が違い、何が違わないかを説明できる
#
# 使うのは、03 のアテンションと、「ヘッドごとに別のスコアがある」という 05 の知識です。
#
# セルは上から順に実行してください。解答セルには、何を作るのかが書いてあります。エラーを起こしている行を自分のコードに置き換え、実行してから、すぐ下のチェックを実行します。日を改めて続けるときは、もう一度いちばん上から実行しましょう。
#
# このノートブックの隣に `helpers.py` があります。演算を数えるカウンタ、バイトを数えるカウンタ、練習用のデバイスといった、このレッスンの道具が入っています。自由に読んでみてください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from collections.abc import Callable, Sequence
import math
import time
from typing import Any
import matplotlib.pyplot as plt
import torch
from torch.nn.functional import scaled_dot_product_attention
from autograder.learn import lesson
from autograder.learn.picture import picture
from helpers import Experiment, PretendDevice, count_flops, peak_bytes

check, ask = lesson("06_complexity", language="ja")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. スコアを数える
#
# スコアは、クエリ一つとキー一つの組ごとに一つあります。クエリとキーが同じ数なら n × n 個、つまり正方形です。しかも、この正方形は一つではありません。ヘッドごとに一つずつあり、バッチの系列ごとに、さらにその全部があります。
#
# **予想しよう。** 次のセルを実行すると質問が出ます。`...` の代わりに予想を書いておき、関数ができたらもう一度実行しましょう。予想と結果が比べられます。

# %%
ask("twice_as_long", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "score_count", "locked": false, "schema_version": 3, "solution": true, "task": false}
def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    """アテンションが計算するスコアの個数。

    バッチの各系列の各ヘッドで、すべてのクエリをすべてのキーと比べます。
    batch, heads, n_queries, n_keys: int -> int

    score_count(1, 1, 2, 3) -> 6
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-score_count", "locked": true, "points": 2.0, "schema_version": 3, "solution": false, "task": false}
check(score_count)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-score_count", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** 正方形はそれぞれ、一つ内側のものより 2 倍長い文章の、ヘッド一つ分のスコアです。内側の正方形は、外側の正方形にいくつ入りますか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-nested_squares", "locked": true, "schema_version": 3, "solution": false, "task": false}
figure, axes = plt.subplots(figsize=(6.5, 4))
for n in (128, 64, 32, 16):
    label = f"n = {n}: {score_count(1, 1, n, n):,} " + "個のスコア"
    axes.fill([0, n, n, 0], [0, 0, n, n], alpha=0.45, label=label)
axes.set(xlabel="キー", ylabel="クエリ", aspect="equal")
axes.invert_yaxis()
axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
picture(figure,
    "一辺が 16、32、64、128 の四つの正方形が重なっています。どれも一つ内側のものの 2 倍の辺と 4 倍"
    "の面積を持ち、凡例にはあなたの式によるスコアの個数があります。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-nested_squares", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **「アテンションの値段は n²」とは限りません。** それは**一つの**系列の**一つの**ヘッドの値段です。ヘッドが 12 個、系列が 16 本なら、正方形は 192 枚あり、すべて同時に存在します。一枚のつもりで見積もると、たちまちメモリが足りなくなります。
#
# **壊してみよう。** ヘッドを数え忘れた関数に、どうすれば気づけるでしょうか。テストに使う大きさを自分で選んでみてください。

# %%
ask("revealing_sizes", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-revealing_sizes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. 演算を数える
#
# 働いているのは二つの行列積です。一つ目はスコアを作ります。スコア一つにつき、d_k 個の数の内積が一回です。二つ目はバリューを混ぜます。出力の d_v 個の数のそれぞれが、すべてのキーにわたる和です。
#
# 内積は**積和**の連なりです。二つの数を掛け、その結果を合計に足す。これを繰り返します。
#
# > **1 回ですか、2 回ですか。** 積和を 1 回と数える論文や道具もあれば（MAC といいます）、2 回と数えるもの（FLOP、浮動小数点演算）もあり、片方の名前でもう片方を書いているものまであります。数字の食い違いのかなりの部分は、この 2 倍が原因です。ここでは PyTorch のカウンタと同じく、積和 1 回を **2 回**の演算と数えます。もう一つの 2 倍は因果マスクです。見える半分だけを数える人もいます。ここでは計算したものをすべて数えます。これまでに書いたアテンションは、隠れるスコアも計算しています。
#
# **予想しよう。** 指で数えられる大きさです。

# %%
ask("tiny_flops", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "attention_flops", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_flops(batch: int, heads: int, n_queries: int, n_keys: int, d_k: int, d_v: int) -> int:
    """アテンションの二つの行列積（Q と K、重みと V）の浮動小数点演算の回数。

    積和 1 回は、掛け算 1 回と足し算 1 回で 2 回と数えます。ソフトマックスは数えません。
    Q (batch, heads, n_queries, d_k)、K (batch, heads, n_keys, d_k)、V (batch, heads, n_keys, d_v)
    -> int

    attention_flops(1, 1, 1, 1, 1, 1) -> 4
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-attention_flops", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(attention_flops)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-attention_flops", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** PyTorch は、関数が動く様子を見張って、行列積を数えることができます。使うのはレッスン 03 と同じアテンションで、クエリは 40 個、キーは 70 個、バリューの幅は別です。あなたの式は、実際に起きたことと合っていますか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-against_the_counter", "locked": true, "schema_version": 3, "solution": false, "task": false}
def attention(Q, K, V):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5  # (..., n_q, n_k)
    return scores.softmax(dim=-1) @ V  # (..., n_q, d_v)


torch.manual_seed(6)
Q, K, V = torch.randn(2, 3, 40, 16), torch.randn(2, 3, 70, 16), torch.randn(2, 3, 70, 24)
print("あなたの式による演算の回数：", f"{attention_flops(2, 3, 40, 70, 16, 24):,}")
if __name__ == "__main__":  # while you look, not while a file is graded
    print("PyTorch が見た演算の回数：", f"{count_flops(lambda: attention(Q, K, V)):,}")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-against_the_counter", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** アテンションの前には Q、K、V への射影が、後には元の幅に戻す射影があります。d_model × d_model の行列が四つです。どのトークンもそれぞれを一度ずつ通るだけなので、値段は n² ではなく n に比例します。大きいのはどちらでしょうか。

# %%
ask("short_text", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-projections_and_products", "locked": true, "schema_version": 3, "solution": false, "task": false}
d_model, heads = 512, 8
lengths = [2**k for k in range(5, 15)]
projections = [4 * 2 * n * d_model**2 for n in lengths]  # four matrices
products = [attention_flops(1, heads, n, n, d_model // heads, d_model // heads) for n in lengths]
figure, axes = plt.subplots(figsize=(6.5, 3.6))
axes.loglog(lengths, projections, "s--", label="四つの射影")
axes.loglog(lengths, products, "o-", label="二つの積（あなたの式）")
axes.axvline(2 * d_model, color="gray", linestyle=":", label="n = 2 · d_model")
axes.set(xlabel="n（トークン）", ylabel="演算の回数")
axes.legend()
picture(figure,
    "n に対する演算の回数。軸はどちらも対数です。二つの積の線は四つの射影の線の 2 倍の急さで、n = "
    "1024、つまりモデルの幅の 2 倍のところで交わります。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-projections_and_products", "locked": true, "schema_version": 3, "solution": false, "task": false}
# n がモデルの幅の 2 倍になるまでは、射影のほうが高くつきます。それよりずっと短い文章では、「アテンションは n²」は正しくても的外れで、2 倍の長さの文章にかかる手間はおよそ 2 倍です。n² が支配するのは、その先です。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-projections_and_products-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. バイトを数える
#
# 数は、どこかに置いておかなければなりません。一つでどれだけ場所を取るかは、dtype で決まります。
#
# **予想しよう。** 中くらいのモデルで考えます。1024 トークンの系列が 16 本、ヘッドが 12 個、float32。**たった一層**のスコアは何 MiB（1 MiB は 1024 × 1024 バイト）でしょうか。まず勘で答え、それから計算してみてください。

# %%
ask("mebibytes_of_scores", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "score_bytes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def score_bytes(batch: int, heads: int, n_queries: int, n_keys: int, dtype: torch.dtype) -> int:
    """すべてのスコアが占めるメモリ。単位はバイトです。

    dtype は torch.float32 など PyTorch の dtype -> int

    score_bytes(1, 1, 1, 1, torch.float32) -> 4
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-score_bytes", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(score_bytes)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-score_bytes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** `peak_bytes` は、関数が動いている間に存在するテンソルをすべて見張り、合計がいちばん大きかったときを覚えています。まずスコアを作る行列積だけ、次にアテンション全体を測ります。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-beside_a_real_tensor", "locked": true, "schema_version": 3, "solution": false, "task": false}
Q, K, V = torch.randn(3, 2, 4, 300, 16)
print("あなたの式によるスコアのバイト数：", f"{score_bytes(2, 4, 300, 300, torch.float32):,}")
print("行列積 Q @ K.T の実測：", f"{peak_bytes(lambda: Q @ K.transpose(-2, -1)):,}")
print("アテンション全体の実測：", f"{peak_bytes(lambda: attention(Q, K, V)):,}")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-beside_a_real_tensor", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 行列積だけなら、あなたの計算と 1 バイトも違いません。アテンション全体では、そのおよそ 2 倍です。ソフトマックスが重みを書いている間、スコアもまだ残っているからです。学習ではそれで終わりません。各層の重みは、逆伝播で使い終わるまで**取っておかれる**ので、計算した値に層の数を掛けることになります。
#
# **壊してみよう。** 系列は 1 本、ヘッドは 12 個、層は一つ。文章だけをどんどん長くします。軸はどちらも対数です。30 万文字の小説はどこですか。半精度のときだけ収まる長さは、どれくらいの範囲ですか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-bytes_of_long_texts", "locked": true, "schema_version": 3, "solution": false, "task": false}
lengths = [2**k for k in range(4, 20)]
figure, axes = plt.subplots(figsize=(6.5, 3.8))
for dtype, style in ((torch.float32, "o-"), (torch.bfloat16, "s--")):
    gibibytes = [score_bytes(1, 12, n, n, dtype) / 2**30 for n in lengths]
    axes.loglog(lengths, gibibytes, style, label=str(dtype))
axes.axhline(80, color="gray", linestyle=":", label="80 GiB：大きな GPU")
axes.set(xlabel="n（トークン）", ylabel="一層のスコア全部 (GiB)")
axes.legend()
picture(figure,
    "n に対するスコアのメモリ。軸はどちらも対数で、float32 と bfloat16 の線は傾き 2 の平行な直線で"
    "す。float32 は 32,768 トークンと 65,536 トークンの間で大きな GPU の 80 GiB を超え、bfloat16 は"
    "少し後で超えます。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-bytes_of_long_texts", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 半分の精度で手に入るのは、およそ 1.4 倍、つまり √2 倍の長さだけです。n² を反対側から見ると、こうなります。
#
# ところで、メモリについてどれよりも多くの人を惑わせてきた道具があります。

# %%
ask("memory_that_stays", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-memory_that_stays", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. 時間を測る
#
# 演算の回数とバイト数は、何度数えても同じです。時間はそうはいきません。機械によっても、その機械がほかに何をしているかによっても、時計の扱い方によっても変わります。そこで、いくつか決まりがあります。どれも、誰かが痛い目を見て学んだものです。
#
# * **温める。** 最初の呼び出しでは、ライブラリを読み込み、キャッシュを埋め、アルゴリズムを選びます。数に入れない呼び出し（ウォームアップ）を何回かしておきます。
# * **繰り返して、中央値を取る。** 一度でも邪魔が入ると、平均は台無しです。中央値は気づきもしません。
# * **待つ。** GPU では、関数を呼んでも仕事を列に並べるだけで、すぐに戻ってきます。時計を読む前に、始まりでも終わりでも、デバイスの仕事が終わるのを待ちます。PyTorch で待つのは `torch.cuda.synchronize` です。
#
# 手元に GPU がないかもしれませんし、あっても毎回違う数が出ます。そこで、動きを計算でまねる、練習用のデバイスを用意しました。`PretendDevice([10.0], launch=0.5)` は、一つの仕事に 10 秒かかり、仕事を頼むのに 0.5 秒かかります。`clock()` が時刻を教えてくれます。本物の時間は流れません。
#
# **予想しよう。** 待たない時計は、何秒を示すでしょうか。

# %%
ask("hasty_stopwatch", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "median_time", "locked": false, "schema_version": 3, "solution": true, "task": false}
def median_time(
    fn: Callable[[], object],
    repeats: int = 5,
    warmup: int = 1,
    clock: Callable[[], float] = time.perf_counter,
    synchronize: Callable[[], object] | None = None,
) -> float:
    """fn() の 1 回の呼び出しにかかる秒数。`repeats` 回測った中央値です。

    その前に fn() を `warmup` 回呼びます。この分は数に入れません。
    clock() は時刻を秒で返します。synchronize があれば、時計を読む前に毎回 synchronize() を
    呼びます。GPU では、仕事がすべて終わるまで待つ関数です。
    測った回数が偶数なら、真ん中の二つの平均を中央値とします。
    -> float
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-median_time", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(median_time)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-median_time", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** あなたの関数で、まず待たずに、次に待って測ります。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-stopwatch_without_waiting", "locked": true, "schema_version": 3, "solution": false, "task": false}
device = PretendDevice([10.0], launch=0.5)
seconds = median_time(device.work, clock=device.clock)
print("待たないときの秒数：", seconds)
device = PretendDevice([10.0], launch=0.5)
seconds = median_time(device.work, clock=device.clock, synchronize=device.synchronize)
print("待ったときの秒数：", seconds)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-stopwatch_without_waiting", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 0.5 秒。これは仕事を**頼む**のにかかった時間です。こうして描いた図は、n がどれほど大きくても平らになり、「アテンションはただ同然だ」という報告になります。公開されたベンチマークでも起きていることです。
#
# **見てみよう。** 今度は本物の機械です。半精度の数で 40 回アテンションを計算し、1 回ずつ測ります。`set_num_threads(1)` は、コアを一つだけ使わせる設定です。遅くはなりますが、ほかに動いているものに振り回されにくくなります。最初の 1 回と、飛び離れた点を探してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-every_single_call", "locked": true, "schema_version": 3, "solution": false, "task": false}
half = torch.randn(3, 1, 4, 256, 32).bfloat16()
calls = range(1, 41)
torch.set_num_threads(1)
if __name__ == "__main__":
    milliseconds = [1e3 * median_time(lambda: attention(*half), repeats=1, warmup=0) for _ in calls]
    figure, axes = plt.subplots(figsize=(6.5, 3.2))
    axes.semilogy(calls, milliseconds, "o")
    axes.axhline(sorted(milliseconds)[20], color="gray", linestyle=":", label="中央値")
    axes.set(xlabel="何回目の呼び出しか", ylabel="時間 (ms)")
    axes.legend()
picture(figure,
    "40 回の呼び出しそれぞれの時間（ミリ秒、対数）。初めて実行したときは、最初の 1 回が、線で示した"
    "中央値の何倍もかかります。残りのほとんどは中央値の近くにあり、いくつかが大きく上に外れます。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-every_single_call", "locked": true, "schema_version": 3, "solution": false, "task": false}
# このセルをもう一度実行してみましょう。遅かった最初の 1 回は、どこへ行きましたか。この数の並びのうち、最小値は「いちばん速くて何秒か」、平均は「邪魔が入る分まで含めて 1 回あたり何秒か」、中央値は「普通の 1 回は何秒か」に答えます。
#
# 最初の呼び出しがもっと遅くなることもあります。`torch.compile(fn)` は、fn を速くした関数を返します。ただし、機械に合わせて翻訳されるのは、その関数が初めて呼ばれたときです。これを測った人がいます。

# %%
ask("slow_again_and_again", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-slow_again_and_again", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. 指数を読む
#
# べき乗で増えるコスト c · n^p は、曲線です。両辺の対数を取ると、
#
# log cost = log c + p · log n
#
# となります。これは直線で、傾きが指数 p です。機械の速さや単位をまとめて引き受けている定数 c は切片になり、傾きには影響しません。
#
# **予想しよう。** サイズが 1、2、4、8 で、コストが 5、10、20、40 です。

# %%
ask("slope_by_hand", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "growth_exponent", "locked": false, "schema_version": 3, "solution": true, "task": false}
def growth_exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """コストの増え方の指数 p。cost = c * size ** p なら、その p を返します。

    点 (log size, log cost) に最小二乗法で当てはめた直線の傾きです。
    すべての点を使います。点の順番は問いません。
    sizes, costs: 同じ長さの正の数の列で、異なるサイズが二つ以上あります
    -> float

    growth_exponent([10, 100], [7, 700]) -> 2.0
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-growth_exponent", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(growth_exponent)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-growth_exponent", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **どの図の傾きですか。** 対数を取らずに直線を当てはめても、傾きは出ます。「1 トークンあたり何秒」という数です。でも、それは指数ではありません。単位を変えても、機械を変えても、選んだサイズを変えても変わってしまいます。当てはめは、指数のわかっている自分で作った数で必ず試しましょう。
#
# **見てみよう。** n² で増える作り物の測定値が 12 個あり、どれも偶然に 2〜3 割ほどずれています。左右の図は同じ点で、あなたの指数で引いた線が点の真ん中を通っています。大きいサイズだけでなく、どのサイズでも線が合っているかどうか。それを見分けられるのは、どちらの図ですか。また、偶然のずれのせいで、指数は 2 からどれだけ離れましたか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-fit_over_points", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(6)
lengths = [100, 130, 180, 250, 330, 450, 600, 800, 1100, 1500, 2000, 2700]
chance = (0.3 * torch.randn(12)).exp().tolist()
milliseconds = [n**2 / 10_000 * factor for n, factor in zip(lengths, chance, strict=True)]
p = growth_exponent(lengths, milliseconds)
x, y = torch.tensor(lengths).log(), torch.tensor(milliseconds).log()
c = (y - p * x).mean().exp().item()  # the line goes through the middle of the points
figure, panels = plt.subplots(1, 2, figsize=(9.5, 3.6))
for axes in panels:
    axes.plot(lengths, milliseconds, "o", label="12 個の測定値")
    axes.plot(lengths, [c * n**p for n in lengths], "--", label="あなたの指数：" + f" {p:.2f}")
    axes.set(xlabel="n（トークン）", ylabel="時間 (ms)")
    axes.legend()
panels[1].set(xscale="log", yscale="log")
picture(figure,
    "n に対する作り物の時間 12 個と、あなたの指数で引いた線。左右の図は同じ点です。普通の軸では、小"
    "さいサイズが隅に固まり、線は曲線になります。対数の軸では、点が直線に沿って均等に並び、線の上に"
    "も下にもあります。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-fit_over_points", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **壊してみよう。** 作り物のコストです。1 回の呼び出しごとに必ずかかる手間（Python や、仕事を頼む手間や、探し物）が 50 マイクロ秒、その上に n² が乗っています。小さいほうの四つのサイズからは、どんな指数が出るでしょうか。大きいほうの四つからは？

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-small_n_deceives", "locked": true, "schema_version": 3, "solution": false, "task": false}
lengths = [2**k for k in range(3, 14)]
microseconds = [50 + n**2 / 1000 for n in lengths]
small = growth_exponent(lengths[:4], microseconds[:4])
large = growth_exponent(lengths[-4:], microseconds[-4:])
figure, axes = plt.subplots(figsize=(6.5, 3.6))
axes.loglog(lengths, microseconds, "o-", label="作り物：50 + n² / 1000")
axes.loglog(lengths[4:], [n**2 / 1000 for n in lengths[4:]], ":", color="gray", label="n²")
axes.set(xlabel="n（トークン）", ylabel="時間 (µs)")
axes.legend()
print("小さいほうの四つから求めた指数：", f"{small:.2f}")
print("大きいほうの四つから求めた指数：", f"{large:.2f}")
picture(figure,
    "n に対する作り物の時間。軸はどちらも対数です。n = 128 あたりまでは 50 マイクロ秒で平らで、その"
    "先で上に曲がり、n² の点線に近づきます。"
)

# %%
ask("flat_at_small_n", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-flat_at_small_n", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 6. 自分の実験
#
# 測るもの（コスト）と、読み取り方（当てはめ）はそろいました。足りないのは、サイズを一つずつ試していくループです。出てくる数に値打ちがあるかどうかは、二つの点で決まります。
#
# * **入力は外で作る。** 乱数を引くのにも時間とメモリがかかります。測りたいのはそれではありません。
# * **勾配を切る。** そうしないと、来ることのない逆伝播のために重みの行列が残り、少しずつ区切って計算する方法でさえ、メモリが n² に見えてしまいます。
#
# そこで `cost` は、引数のない関数を受け取り、何回呼ぶかを自分で決めます。`count_flops` も `peak_bytes` も `median_time` も、この `cost` になれます。
#
# **予想しよう。** 頭の中で計算できる、小さな実験です。

# %%
ask("three_products", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "measure_growth", "locked": false, "schema_version": 3, "solution": true, "task": false}
def measure_growth(
    make_input: Callable[[int], Any],
    fn: Callable[[Any], object],
    sizes: Sequence[int],
    cost: Callable[[Callable[[], object]], float],
) -> list[float]:
    """各サイズでの fn のコスト。sizes の順に並べたリストで返します。

    サイズ n ごとに、順に次のことをします。
    まず x = make_input(n) を、測る範囲の外で 1 回だけ。
    次に cost(call)。call は引数なしの関数で、勾配を切った状態で fn(x) を実行します。
    cost が返した値を、そのままリストに入れます。

    make_input: int -> x、fn: x -> 何でも、cost: call -> 数（call() を何度か呼ぶこともあります）
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-measure_growth", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(measure_growth)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-measure_growth", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** チェックがあなたの関数に渡したのは、`helpers.py` の `Experiment` と同じような実験です。入力はごく小さく、コストは作り物ですが、何をされたかをすべて書き留めています。自分でも一つ動かしてみましょう。2 行目には何が出ると思いますか。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-what_was_done", "locked": true, "schema_version": 3, "solution": false, "task": false}
pretend = Experiment({30: 2.5, 10: 0.5}, runs=2)
print(measure_growth(pretend.make_input, pretend.fn, [30, 10], pretend.cost))
print("行われたこと（順に）：", ", ".join(pretend.order))
counts = pretend.runs_inside, pretend.runs_outside, pretend.runs_remembered
print("fn の回数（測定の中、外、勾配つき）：", *counts)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-what_was_done", "locked": true, "schema_version": 3, "solution": false, "task": false}
# では、同じ結果を出す三つの方法を比べましょう。一つ目は、よく知っているアテンション。二つ目は PyTorch の `F.scaled_dot_product_attention` で、全体が一つの演算に**融合**されています。三つ目はクエリを 64 行ずつ処理し、次に移る前に、前の分のスコアを忘れます。
#
# レッスン 03 で書いた自分のアテンションがあれば、新しいセルで `attention` として定義し（出力だけを返すようにします）、ここから先を実行してください。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-three_ways", "locked": true, "schema_version": 3, "solution": false, "task": false}
machine = "cuda" if torch.cuda.is_available() else "cpu"
wait = torch.cuda.synchronize if machine == "cuda" else None
sizes = [512, 1024, 2048, 4096, 8192] if machine == "cuda" else [64, 128, 256, 512, 1024]
rows = sizes[0]


def row_chunked(Q, K, V):
    """The same attention, a few rows of queries at a time."""
    return torch.cat([attention(part, K, V) for part in Q.split(rows, dim=-2)], dim=-2)


ways = {
    "普通": attention,
    "融合": scaled_dot_product_attention,
    f"{rows} " + "行ずつ": row_chunked,
}


def random_tokens(n):
    """Q, K and V in one tensor: batch 1, 4 heads, n tokens, 32 numbers each."""
    return torch.randn(3, 1, 4, n, 32, device=machine)


x = random_tokens(300)
for name, way in ways.items():
    agrees = torch.allclose(way(*x), attention(*x), atol=1e-4)
    print(f"{machine}, {name}:", "普通の計算と一致：", agrees)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-three_ways", "locked": true, "schema_version": 3, "solution": false, "task": false}
# PyTorch が GPU を見つければ、GPU を使います。そのときはサイズも区切りも 8 倍にします。小さいままだと、GPU では決まってかかる手間しか見えないからです。
#
# **予想しよう。** 三つ目の方法も、すべてのスコアを計算します。ただ、同時にではありません。どうなると思いますか。

# %%
ask("in_small_pieces", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-measured", "locked": true, "schema_version": 3, "solution": false, "task": false}
def in_milliseconds(call):
    """A cost: the median of 15 calls."""
    return 1e3 * median_time(call, repeats=15, synchronize=wait)


costs = {
    "演算の回数": count_flops,
    "最大のバイト数": peak_bytes,
    "時間 (ms)": in_milliseconds,
}
measured = {}
if __name__ == "__main__":
    for quantity, cost in costs.items():
        measured[quantity] = {}
        for name, way in ways.items():

            def run(x, way=way):
                return way(*x)

            measured[quantity][name] = measure_growth(random_tokens, run, sizes, cost)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-measured", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **見てみよう。** 三つの量を n に対して描きます。軸はどちらも対数です。点線は理論で、演算の回数とスコアのバイト数はあなたの式、時間はただの n² です。名前の後の数は、大きいほうの三つのサイズから、あなたの関数で求めた指数です。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-three_plots", "locked": true, "schema_version": 3, "solution": false, "task": false}
theory = {
    "演算の回数": ("あなたの式", [attention_flops(1, 4, n, n, 32, 32) for n in sizes]),
    "最大のバイト数": ("あなたの式", [score_bytes(1, 4, n, n, torch.float32) for n in sizes]),
}
figure, panels = plt.subplots(1, 3, figsize=(11.5, 5.0))
for axes, (quantity, curves) in zip(panels, measured.items(), strict=False):
    for (name, values), style in zip(curves.items(), ("o-", "s--", "^-."), strict=True):
        exponent = growth_exponent(sizes[-3:], values[-3:])
        axes.loglog(sizes, values, style, alpha=0.8, label=f"{name}: {exponent:.2f}")
    last = curves["普通"][-1]
    label, line = theory.get(quantity, ("n²", [last * (n / sizes[-1]) ** 2 for n in sizes]))
    axes.loglog(sizes, line, ":", color="gray", linewidth=3, label=label)
    axes.set(xlabel="n（トークン）", ylabel=quantity)
    axes.set_xticks(sizes, sizes)
    axes.minorticks_off()
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17))
picture(figure,
    "n に対する三つの両対数の図。どれにも、普通、融合、区切って計算する三つのアテンションと、理論の"
    "点線があります。演算の回数は三つとも理論に重なります。バイト数は、普通のものが理論と平行で、ほ"
    "かの二つは半分の急さです。時間は、三つとも右で n² に近く、左へ行くほど平らになります。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-three_plots", "locked": true, "schema_version": 3, "solution": false, "task": false}
# あなたの数は、隣の人の数とは違います。採点もしません。次のことを話し合ってみてください。
#
# * **演算の回数。** 三つとも、あなたの式の上に重なります。どの方法でも、掛け算は一つも減りません。
# * **バイト数。** 普通の方法は、あなたの式と平行で、およそ 2 倍上にあります。ほかの二つの指数は 1 に近くなります。どの瞬間にも、スコアの一部しか持っていないからです。（融合された方法が一つの演算の中で使う分は、`peak_bytes` には見えません。それも、やはりスコアの小さな一部です。）
# * **時間。** 右へ行くほど n² の線に近づき、左へ行くほど平らになります。小さい n について学んだことが、そのまま見えます。融合された方法は、同じ回数の演算をより短い時間で終えます。運ぶメモリが少ないからです。線がぎざぎざになったら、ほかの何かが動いていたのです。もう一度測りましょう。何度測っても普通の方法が n² より急に上がるなら、おそらくメモリのせいです。スコアがプロセッサのキャッシュに収まらなくなると、一つ一つを取りに行くのに時間がかかります。
# * **何が変わるか。** 別の機械なら、系列が 2 本なら、半精度なら、どうなるでしょう。一つだけ変えて三つのセルをもう一度実行し、予想が当たったか確かめてください。
#
# **壊してみよう。** もし `measure_growth` が勾配を切らなかったら、どうなるでしょう。エラーは出ず、計算の結果も同じです。次のセルでは、区切って計算する方法を、あなたの関数で一度、この用心なしで一度測ります。比べるために、融合された方法も用心なしで測ります。入力はパラメータと同じように勾配を求めます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-gradients_on", "locked": true, "schema_version": 3, "solution": false, "task": false}
def wanting_gradients(n):
    return random_tokens(n).requires_grad_()


def keeping(way):
    """Peak bytes of a way at each size, with gradients on."""
    inputs = [wanting_gradients(n) for n in sizes]
    return [peak_bytes(lambda x=x: way(*x)) for x in inputs]


if __name__ == "__main__":
    yours = measure_growth(wanting_gradients, lambda x: row_chunked(*x), sizes, peak_bytes)
    curves = {
        "区切って、勾配なし": (yours, "^-."),
        "区切って、勾配あり": (keeping(row_chunked), "o-"),
        "融合、勾配あり": (keeping(scaled_dot_product_attention), "s--"),
    }
    figure, axes = plt.subplots(figsize=(6.5, 3.8))
    for name, (values, style) in curves.items():
        exponent = growth_exponent(sizes[-3:], values[-3:])
        axes.loglog(sizes, values, style, label=f"{name}: {exponent:.2f}")
    theory = [score_bytes(1, 4, n, n, torch.float32) for n in sizes]
    axes.loglog(sizes, theory, ":", color="gray", linewidth=3, label="あなたの式")
    axes.set(xlabel="n（トークン）", ylabel="最大のバイト数")
    axes.set_xticks(sizes, sizes)
    axes.minorticks_off()
    axes.legend()
picture(figure,
    "n に対する最大のバイト数。軸はどちらも対数です。区切って勾配を切ったものと、融合で勾配ありのも"
    "のは n に比例して増えます。区切って勾配ありのものは上に曲がり、あなたの式の n² の点線に上から"
    "近づきます。"
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-gradients_on", "locked": true, "schema_version": 3, "solution": false, "task": false}
# どの区切りも、スコアはやはり忘れます。けれども**重み**は、来ることのない逆伝播のために取っておかれ、区切りを全部合わせると正方形一枚分に戻ってしまいます。線は上に曲がり、あなたの式に近づきます。こうして測った人は、「区切って計算してもほとんど得がない」と報告するでしょう。融合された方法では、増え方が変わりません。クエリ一つにつき数を一つだけ取っておき、逆伝播のときに重みを計算し直すからです。
#
# 片方だけ勾配ありで比べるのは、公平ではありません。公平でない比較を、もう一つ見てみましょう。

# %%
ask("two_reports", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-two_reports", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **公平な比較では、一つだけを変えます。** サイズも dtype もマスクもメモリ上の並びも同じにし、どちらも勾配を切り、温め、待ちます。二つの測定の違いを、すべて書き出してみましょう。残るのが、知りたいこと一行だけになるようにします。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-two_reports-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 7. カウンタが見落とすもの
#
# カウンタに見えるのは、見ることを教わったものだけです。次のセルでは、同じ種類の仕事をする三つの関数について、斜線の前に PyTorch のカウンタそのままの数、後に `helpers.py` のカウンタの数を並べます。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-uncounted", "locked": true, "schema_version": 3, "solution": false, "task": false}
def by_itself(call):
    """PyTorch's counter as it comes, told nothing."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


layer = torch.nn.MultiheadAttention(128, 4, batch_first=True, device=machine)
layer.eval().requires_grad_(requires_grad=False)
Q, K, V = random_tokens(256)
tokens = torch.randn(1, 256, 128, device=machine)
calls = {
    "普通": lambda: attention(Q, K, V),
    "融合": lambda: scaled_dot_product_attention(Q, K, V),
    "nn.MultiheadAttention": lambda: layer(tokens, tokens, tokens),
}
if __name__ == "__main__":
    for name, call in calls.items():
        print(f"{name}: {by_itself(call):,} / {count_flops(call):,}")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-uncounted", "locked": true, "schema_version": 3, "solution": false, "task": false}
# CPU では、PyTorch のカウンタは融合されたアテンションを知らず、0 と答えます。`count_flops` には数え方を教えてあるので、先ほど使えました。`nn.MultiheadAttention` の速い経路は、層全体が一つの演算になっていて、どちらのカウンタも知りません。**0 は「何もしなかった」ではなく、「何も見えなかった」という意味です。** `nn.Linear` のような層だけを見張る道具もあります。

# %%
ask("a_straight_line", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-a_straight_line", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 8. 小説を丸ごと
#
# 最初の問いに戻りましょう。16 文字と 30 万文字では、中くらいのモデル（ヘッドが 12 個、幅 768）の一層で、値段は何倍になるでしょうか。あなたの式で計算します。

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-whole_novel", "locked": true, "schema_version": 3, "solution": false, "task": false}
def layer_flops(n):
    """Operations of one layer, 768 wide: four projections, and the products of 12 heads."""
    return 4 * 2 * n * 768**2 + attention_flops(1, 12, n, n, 64, 64)


few, many = 16, 300_000
scores = score_count(1, 12, many, many) / score_count(1, 12, few, few)
work = layer_flops(many) / layer_flops(few)
print("文字の数（何倍か）：", f"{many / few:,.0f}")
print("スコアの数（何倍か）：", f"{scores:,.0f}")
print("一層の演算の回数（何倍か）：", f"{work:,.0f}")
all_rows = score_bytes(1, 12, many, many, torch.float32) / 2**30
few_rows = score_bytes(1, 12, 64, many, torch.float32) / 2**30
print("一層のスコア全部 (GiB)：", f"{all_rows:,.1f}")
print("そのうち 64 行分 (GiB)：", f"{few_rows:,.1f}")
if __name__ == "__main__":
    seconds = measured["時間 (ms)"]["融合"][-1] / 1000
    carried_on = seconds * (many / sizes[-1]) ** 2
    print("この機械でかかる秒数（融合、4 ヘッド）：", f"{carried_on:,.0f}")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-whole_novel", "locked": true, "schema_version": 3, "solution": false, "task": false}
# 答えは、何を数えるかで変わります。文字は 2 万倍近く、スコアはその 2 乗で、およそ 3 億 5 千万倍です。層全体の演算はそこまで増えず、およそ 360 万倍です。二つの文では射影が二つの積の 100 倍ほどかかっていて、増え方はそこから始まるからです。小説では逆に、二つの積が射影の 200 倍ほどかかります。
#
# スコアを全部同時に置こうとすると、一層だけで大きな GPU が 50 台要ります。でも、全部を持っている必要はありません。64 行ずつなら 1 GiB に収まります。どんな計算のしかたでもなくならないのは、演算のほうです。最後の行は、あなた自身の測定値を n² で延ばしたものです。本を丸ごと読むモデルは実際にあります。その値段がこれです。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-whole_novel-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 三つの文でまとめると
#
# アテンションは、各系列の各ヘッドで、クエリとキーの組ごとにスコアを一つ計算するので、2 倍の長さの文章ではスコアが 4 倍になり、すべてを同時に持つかぎり、メモリも同じように増えます。n がモデルの幅の 2 倍より小さいうちは射影のほうが高くつき、n が小さければ、決まってかかる手間がすべてを覆い隠します。測るときは、温め、待ち、繰り返し、中央値を取り、大きい n まで行って、両対数の傾きから指数を読みます。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-whole_novel-3", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 自分の言葉で
#
# 同僚が図を見せてくれました。GPU で n = 8、16、32、64 を 1 回ずつ測った時間で、ほとんど平らな線です。「ほら、アテンションは n² なんかじゃないよ。」あなたなら何と答え、どんな測定を勧めますか。三文から五文で書いてください。

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-flat_line", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# （ここに答えを書いてください）

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-flat_line", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## この先にあるもの
#
# 基本のレッスンはこれで終わりです。辞書から始めて複数のヘッドまでアテンションを作り、その値段もわかりました。ここから先には、二つの道があります。一つは、まったく同じ結果を、メモリの移動を減らして計算する道です。FlashAttention がよく知られていて、上の「融合」もその仲間です。もう一つは、近くだけを見るなど、何かをあきらめて n² から逃れる道です。どちらに出会っても、ここで問うたことを問うてください。演算は何回か、バイトはいくつか、どう測ったのか、何と比べたのか。
