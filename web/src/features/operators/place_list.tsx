// The links to the operators' places: at the left, or at the bottom of a phone.
import { isPhone } from "../../app/media";
import { href } from "../../app/router";
import { DrawnIcon } from "../../ui/icon";
import { Popup } from "../../ui/popup";
import { type OperatorPlaceLink, operatorPlaces, placesOnPhone } from "./places";
import { type OperatorPlace, operatorRouteOf } from "./routes";

type Current = { current: OperatorPlace | undefined };

export function OperatorPlaceList({ current }: Current) {
  const shown = isPhone.value ? operatorPlaces.slice(0, placesOnPhone) : operatorPlaces;
  const others = isPhone.value ? operatorPlaces.slice(placesOnPhone) : [];
  return (
    <div class="places">
      {shown.map((link) => (
        <PlaceAnchor key={link.place} link={link} current={current} />
      ))}
      {others.length > 0 && (
        <Popup
          class="op-more"
          buttonClass={`op-more-button ${others.some(({ place }) => place === current) ? "op-more-here" : ""}`}
          button={
            <>
              <DrawnIcon path="M3.5 8h.01M8 8h.01M12.5 8h.01" />
              <span>More</span>
            </>
          }
        >
          {(close) => (
            // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: its links are what is pressed
            <div class="op-more-sheet" onClick={close}>
              {others.map((link) => (
                <PlaceAnchor key={link.place} link={link} current={current} />
              ))}
            </div>
          )}
        </Popup>
      )}
    </div>
  );
}

function PlaceAnchor({ link, current }: { link: OperatorPlaceLink } & Current) {
  return (
    <a
      href={href(link.path)}
      aria-current={link.place === current ? "page" : undefined}
      onPointerEnter={() => void operatorRouteOf(link.path)?.route.page.load()}
    >
      <DrawnIcon path={link.icon} />
      <span class="place-name">{link.name}</span>
    </a>
  );
}
