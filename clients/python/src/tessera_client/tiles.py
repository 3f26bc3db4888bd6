"""The tiles of a tileset: their address as viewers want it, and their bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._clock import Cancel
from .types import Job

if TYPE_CHECKING:
    from .client import Tessera

EXTENSIONS = {"jpeg": "jpg"}


class Tiles:
    """`template` has the literal {z}, {x} and {y} that Leaflet, MapLibre and the like fill in.

    `is_public` tells which kind it is: signed, readable by anybody until it expires and of one version of the tileset; or the
    tileset's current version, readable with the API key alone. Accounts without cdn_delivery have the second kind.
    """

    def __init__(self, client: Tessera, tileset_id: str, version: int, format: str, public_template: str | None) -> None:
        self._client = client
        self.tileset_id = tileset_id
        self.version = version
        self.format = format
        self.is_public = public_template is not None
        extension = EXTENSIONS.get(format, format)
        self.template = public_template or f"{client.base_url}/v1/tilesets/{tileset_id}/xyz/{{z}}/{{x}}/{{y}}.{extension}"

    def __repr__(self) -> str:
        return f"<Tiles {self.tileset_id} version {self.version}, {self.format}>"

    @classmethod
    def of_job(cls, client: Tessera, job: Job) -> Tiles | None:
        """Of a job that has made or changed a tileset; None for other jobs."""
        result = job["result"]
        if "tileset_id" in result:
            template = result.get("public_tile_url_template") or result.get("tile_url_template")
            return cls(client, result["tileset_id"], result["version"], result["format"], template)
        for artifact in job["artifacts"]:
            metadata = artifact["metadata"]
            if "tileset_id" in metadata:
                return cls(client, metadata["tileset_id"], metadata["version"], metadata["format"], None)
        return None

    def url(self, z: int, x: int, y: int) -> str:
        return self.template.replace("{z}", str(z)).replace("{x}", str(x)).replace("{y}", str(y))

    def tile(self, z: int, x: int, y: int, *, timeout: float | None = None, cancel: Cancel | None = None) -> bytes:
        """The bytes of one tile: column x and row y of zoom z, from the top left."""
        return self._client.tile_bytes(self.url(z, x, y), with_key=not self.is_public, timeout=timeout, cancel=cancel)
