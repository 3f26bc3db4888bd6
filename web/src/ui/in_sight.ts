// One observer for all that waits to come into sight: a list that is scrolled has hundreds of them.
const waiting = new WeakMap<Element, () => unknown>();
let sight: IntersectionObserver | undefined;

/** Calls `then` once, when the element is in sight or nearly; the answer ends the wait. */
export function onceInSight(element: Element, then: () => unknown): () => void {
  sight ??= new IntersectionObserver(
    (entries, observer) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        waiting.get(target)?.();
        waiting.delete(target);
      }
    },
    { rootMargin: "200px" },
  );
  waiting.set(element, then);
  sight.observe(element);
  return () => {
    sight?.unobserve(element);
    waiting.delete(element);
  };
}
