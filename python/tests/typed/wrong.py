"""Calls that a type checker refuses; each line says what it calls wrong."""

import bellwether as bw

bw.TD(4, alhpa=0.1)  # Unexpected keyword argument "alhpa"
bw.TD("4")  # Argument 1 to "TD" has incompatible type "str"
bw.LSTDStream(4, storage="file")  # Argument "storage" to "LSTDStream" has incompatible type
name = bw.TD(4).lern  # "TD" has no attribute "lern"
made = bw.make_lerner  # Module has no attribute "make_lerner"
text: str = bw.TD(4).predict_one([1])  # Incompatible types in assignment
