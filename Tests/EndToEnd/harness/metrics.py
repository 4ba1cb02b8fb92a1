"""What the service counts, read as Prometheus reads it."""

import httpx
from prometheus_client.parser import text_string_to_metric_families

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """All samples of one scrape. A missing sample is an error, because every series exists from the start."""

    def __init__(self, text):
        self.text = text
        self.families = {family.name: family for family in text_string_to_metric_families(text)}
        self._samples = {}
        for family in self.families.values():
            for sample in family.samples:
                key = (sample.name, frozenset(sample.labels.items()))
                assert key not in self._samples, f"{key} stands there twice"
                self._samples[key] = sample.value

    def value(self, name, **labels):
        return self._samples[(name, frozenset(labels.items()))]

    def by(self, name, label):
        """The values of a metric with one label, by the label's values."""
        return {dict(labels)[label]: value for (sample, labels), value in self._samples.items() if sample == name}

    def total(self, name):
        values = [value for (sample, _), value in self._samples.items() if sample == name]
        assert values, f"there is no {name}"
        return sum(values)


def scrape(service):
    answer = httpx.get(f"{service.api}/metrics", timeout=30)
    assert answer.status_code == 200, answer.text
    return Metrics(answer.text)
