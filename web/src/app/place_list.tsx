// The links to the five places: at the left, or at the bottom of a phone.
import { Icon } from "../ui/icon";
import { places } from "./places";
import { href } from "./router";
import { type Route, routeOf } from "./routes";

export function PlaceList({ current }: { current: Route["place"] }) {
  return (
    <div class="places">
      {places.map(({ place, name, path, icon, counts, count }) => (
        <a
          key={place}
          href={href(path)}
          aria-current={place === current ? "page" : undefined}
          onPointerEnter={() => void routeOf(path)?.route.page.load()}
        >
          <Icon name={icon} />
          <span class="place-name">{name}</span>
          {count?.value !== undefined && (
            <span class="place-count">
              {count}
              <span class="unseen"> {counts}</span>
            </span>
          )}
        </a>
      ))}
    </div>
  );
}
