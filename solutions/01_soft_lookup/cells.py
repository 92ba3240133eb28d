"""Pictures and experiments made from what the learner has written: `soft_lookup` and its like are theirs."""

# ruff: noqa: F821, T201

import matplotlib.pyplot as plt
import numpy as np

from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

# %% fading_memory
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
axes.plot(words_since, left, "o-", label=message("small_memory"))
axes.plot(words_since, left_of_word_1(256), "s--", label=message("large_memory"))
axes.plot(words_since, np.full(length, 100), label=message("kept_list"))
axes.set(xlabel=message("words_since"), ylabel=message("left_of_word_1"))
axes.set_xticks(words_since[::2])
axes.legend()
picture(figure, message("fading_memory_alt"))

# %% exact_lookup
legs = {message("cat"): 4, message("bird"): 2, message("fish"): 0}
for animal in (message("cat"), message("kitten")):
    print(animal, "->", legs.get(animal, message("nothing_found")))

# %% map_of_animals
animals = [message("cat"), message("bird"), message("fish")]
animal_keys = np.array([[3.0, 0.0], [1.0, 3.0], [-1.0, -1.0]])  # fur, wings
animal_legs = np.array([[4.0], [2.0], [0.0]])
askers = [message("kitten"), message("sparrow"), message("bat")]
asking = np.array([[2.0, 0.0], [1.0, 2.0], [2.0, 2.0]])
arrow = {"arrowstyle": "->", "color": "#1f77b4", "linewidth": 2}
figure, axes = plt.subplots(figsize=(6.5, 4.2))
for name, (fur, wings) in zip(animals, animal_keys, strict=True):
    axes.annotate("", (fur, wings), (0, 0), arrowprops=arrow)
    axes.annotate(name, (fur, wings), (6, 6 if wings >= 0 else -12), textcoords="offset points")
axes.plot(*asking.T, "D", color="#ff7f0e")
for name, place in zip(askers, asking, strict=True):
    axes.annotate(name, place, (8, -12), textcoords="offset points")
axes.set(xlabel=message("fur"), ylabel=message("wings"), xlim=(-1.8, 4), ylim=(-1.6, 3.8), aspect="equal")
axes.grid()
picture(figure, message("map_alt"))

# %% three_lookups
legs_found = [hard_lookup(query, animal_keys, animal_legs)[0] for query in asking]
title = message("three_lookups_title")
columns = [message("fur"), message("wings"), message("legs_found")]
heatmap(np.column_stack([asking, legs_found]), askers, columns, title=title)

# %% loud_key
loud_keys = animal_keys * np.array([[1.0], [4.0], [1.0]])  # the bird's key, four times as long
loud_found = [hard_lookup(query, loud_keys, animal_legs)[0] for query in asking]
title = message("loud_key_title")
heatmap(np.column_stack([legs_found, loud_found]), askers, [message("before"), message("after")], title=title)

# %% hard_jump
steps = np.linspace(0, 1, 201)
path = np.stack([2 - 2 * steps, 2 * steps], axis=1)  # from (fur 2, wings 0) to (fur 0, wings 2)
hard = [hard_lookup(query, animal_keys, animal_legs)[0] for query in path]
figure, axes = plt.subplots(figsize=(6.5, 3))
axes.plot(path[:, 1], hard, label="hard_lookup")
axes.set(xlabel=message("wings_of_query"), ylabel=message("legs_found"))
axes.set_ylim(1.5, 4.5)
axes.legend()
picture(figure, message("hard_jump_alt"))

# %% too_large
with np.errstate(over="ignore", invalid="ignore"):
    for score in (1.0, 10.0, 100.0, 700.0, 710.0):
        print(f"exp({score:g}) = {np.exp(score):.3g}")
    print("exp(710) / exp(710) =", np.exp(710.0) / np.exp(710.0))

# %% soft_to_hard
factors = [0.0, 0.1, 0.5, 1.0, 10.0]
bat_scores = np.array([6.0, 8.0, -4.0])
rows = [message("times") + f" {factor:g}" for factor in factors]
title = message("soft_to_hard_title")
heatmap(softmax(np.outer(factors, bat_scores)), rows, animals, title=title)

# %% wrong_axis
scores = np.array([[6.0, 2.0, -2.0], [3.0, 7.0, -3.0], [6.0, 8.0, -4.0]])
down = softmax(scores, axis=0)
columns = [*animals, message("sum_of_row")]
title = message("wrong_axis_title")
heatmap(np.column_stack([down, down.sum(axis=1)]), askers, columns, title=title)

# %% three_tokens
tokens = message("tokens").split(" / ")
names = {"row_name": message("looks"), "column_name": message("is_looked_at")}
token_queries = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
token_keys = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
token_values = np.array([[10.0, 0.0], [0.0, 0.0], [0.0, 10.0]])  # who, what happens
output, weights = soft_lookup(token_queries, token_keys, token_values)
title = message("three_tokens_title")
heatmap(weights, tokens, tokens, title=title, **names)

# %% three_outputs
title = message("three_outputs_title")
heatmap(output, tokens, [message("who"), message("what_happens")], title=title)

# %% soft_slope
soft = soft_lookup(path, animal_keys, animal_legs)[0][:, 0]
figure, axes = plt.subplots(figsize=(6.5, 3))
axes.plot(path[:, 1], hard, "--", label="hard_lookup")
axes.plot(path[:, 1], soft, label="soft_lookup")
axes.set(xlabel=message("wings_of_query"), ylabel=message("legs_found"))
axes.set_ylim(1.5, 4.5)
axes.legend()
picture(figure, message("soft_slope_alt"))

# %% one_word_two_sentences
meanings = {  # key and value of a word: food, person; all other words have zeros
    message("apple"): [1.0, 0.0],
    message("teacher"): [0.0, 1.0],
}
amai = np.array([[3.0, 2.0]])  # the one query of 甘い: food, and a little less a person


def look_from_amai(sentence):
    """Weights of the words, then what is handed over."""
    entries = np.array([meanings.get(word, [0.0, 0.0]) for word in sentence])
    handed_over, shares = soft_lookup(amai, entries, entries)
    return np.concatenate([shares[0], handed_over[0]])


about_fruit = message("about_fruit").split(" / ")
about_person = message("about_person").split(" / ")
columns = [about_fruit[0], message("noun"), *about_fruit[2:], message("food_found"), message("person_found")]
title = message("two_sentences_title")
rows = [message("in_sentence_1"), message("in_sentence_2")]
seen_from_amai = np.stack([look_from_amai(about_fruit), look_from_amai(about_person)])
heatmap(seen_from_amai, rows, columns, title=title)

# %% pronouns
bought = message("bought").split(" / ")
bought_keys = np.zeros((5, 2))
bought_keys[0] = [1.0, 0.0]  # a person
bought_keys[2] = [0.0, 1.0]  # a thing
pronoun_queries = np.array([[0.0, 4.0], [4.0, 0.0]])
_, found = soft_lookup(pronoun_queries, bought_keys, bought_keys)
title = message("pronouns_title")
heatmap(found, [message("it"), message("he")], bought, title=title)

# %% far_away
weight_of_noun = []
for between in range(length):
    keys_so_far = np.zeros((1 + between, 2))  # words of no interest, and first of all
    keys_so_far[0] = [0.0, 1.0]  # the noun
    _, found = soft_lookup(pronoun_queries[:1], keys_so_far, keys_so_far)
    weight_of_noun.append(100 * found[0, 0])
figure, axes = plt.subplots(figsize=(6.5, 3.5))
axes.plot(words_since, weight_of_noun, "o-", label=message("weight_of_noun"))
axes.plot(words_since, left, "s--", label=message("small_memory"))
axes.set(xlabel=message("words_between"), ylabel=message("percent"), ylim=(0, 105))
axes.set_xticks(words_since[::2])
axes.legend()
picture(figure, message("far_away_alt"))
