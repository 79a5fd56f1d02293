from pentaglot._core import align as align
from pentaglot._core import base as base
from pentaglot._core import corpus as corpus
from pentaglot._core import forest as forest
from pentaglot._core import index as index
from pentaglot._core import lm as lm
from pentaglot._core import rules as rules
from pentaglot._core import search as search
