import torch


def scale(x, a):
    return x * a
