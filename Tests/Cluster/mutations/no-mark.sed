# Positions of the feed are believed without their marks.
s/var isKnown = cursor == \.beginning/var isKnown = true/
s/isKnown = row\.at == cursor/isKnown = true/
