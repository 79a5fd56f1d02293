from pentaglot._core import base as base
from pentaglot._core import corpus as corpus
