"""How much memory a service holds: its own process and every engine."""

import dataclasses
import pathlib


@dataclasses.dataclass
class Memory:
    """In MB. Pages that processes share are counted once, in parts (PSS)."""

    server: float
    engines: float

    @property
    def total(self):
        return self.server + self.engines

    def parts(self):
        return f"server {self.server:.0f}, engines {self.engines:.0f}"


def process_tree(root):
    children = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
        except OSError:
            continue
    found, todo = [], [root]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def proportional_mb(pid):
    try:
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0


def memory_of(service):
    server = service.process.pid
    each = {pid: proportional_mb(pid) for pid in process_tree(server)}
    return Memory(server=each.pop(server, 0), engines=sum(each.values()))
