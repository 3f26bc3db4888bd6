"""Pictures of the IIIF Image API, by the four parts of their addresses."""

from decoded import Decoded


class IiifPictures:
    """What lies below a base address, without a key."""

    def __init__(self, service, base):
        self.service = service
        self.base = base

    def get(self, region="full", size="max", rotation="0", file="default.png", **more):
        return self.service.get(f"{self.base}/{region}/{size}/{rotation}/{file}", **more)

    def shown(self, *parts):
        answer = self.get(*parts)
        assert answer.status == 200, answer
        return Decoded(answer.body)
