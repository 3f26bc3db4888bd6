// What a trace of Chromium tells: which frames were shown, and what each thread of the page's process did meanwhile.
export const categories = [
    "-*", "toplevel", "benchmark", "cc", "viz", "devtools.timeline", "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame", "blink.user_timing", "loading",
];

const isDrawing = /^(Compositor|VizCompositorThread|CrGpuMain|ThreadPoolForegroundWorker|CompositorTileWorker)/;

export class Trace {
    constructor(text) {
        const { traceEvents } = JSON.parse(text);
        this.events = traceEvents;
        this.threads = new Map(traceEvents.filter(({ name }) => name === "thread_name").map(({ pid, tid, args }) => [`${pid} ${tid}`, args.name]));
        // The page sets marks; it is the process that they come from.
        this.marks = traceEvents.filter(({ name, cat }) => cat.includes("blink.user_timing") && name.startsWith("bench:"));
        this.process = this.marks[0]?.pid;
    }

    /** When the page set a mark, in microseconds. */
    at(mark) {
        return this.marks.find(({ name }) => name === `bench:${mark}`)?.ts;
    }

    /** Tasks of the page's main thread that began in between. */
    mainTasks(from, to) {
        return this.events.filter(({ name, ph, pid, tid, ts }) =>
            ph === "X" && pid === this.process && ts >= from && ts < to && this.threads.get(`${pid} ${tid}`) === "CrRendererMain" &&
            name === "ThreadControllerImpl::RunTask");
    }

    /** Processor time in milliseconds: of the main thread, and of all that draws. */
    processorTime(from, to) {
        const sum = { main: 0, drawing: 0 };
        for (const { name, ph, pid, tid, ts, tdur = 0 } of this.events) {
            if (ph !== "X" || ts < from || ts >= to || name !== "ThreadControllerImpl::RunTask" && name !== "ThreadPool_RunTask") continue;
            const thread = this.threads.get(`${pid} ${tid}`) ?? "";
            if (pid === this.process && thread === "CrRendererMain") sum.main += tdur / 1000;
            else if (isDrawing.test(thread)) sum.drawing += tdur / 1000;
        }
        return sum;
    }

    /** When frames were shown, in microseconds, in order: those of the page's own compositor. */
    shownFrames(from, to) {
        const open = new Map();
        const shown = [];
        for (const { name, ph, id, id2, pid, ts, args } of this.events) {
            if (name !== "PipelineReporter" || pid !== this.process) continue;
            const key = id2?.local ?? id;
            const state = args?.chrome_frame_reporter?.state ?? args?.frame_reporter?.state;
            if (ph === "b") open.set(key, state);
            else if (ph === "e") {
                const told = state ?? open.get(key);
                open.delete(key);
                if (told?.startsWith("STATE_PRESENTED") && ts >= from && ts < to) shown.push(ts);
            }
        }
        return [...new Set(shown)].sort((a, b) => a - b);
    }
}

export const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** How a movement between two marks went. */
export function smoothness(trace, loaded) {
    const [from, to] = [trace.at("start"), trace.at("end")];
    const seconds = (to - from) / 1e6;
    const shown = trace.shownFrames(from, to);
    const gaps = shown.slice(1).map((ts, index) => (ts - shown[index]) / 1000);
    // The work of a frame: all tasks of the main thread that began before the next was due.
    const frame = 1e6 / 60;
    const work = new Array(Math.ceil((to - from) / frame)).fill(0);
    for (const { ts, dur } of trace.mainTasks(from, to)) work[Math.floor((ts - from) / frame)] += dur / 1000;
    const spent = trace.processorTime(from, to);
    return {
        seconds,
        frames: shown.length,
        rate: shown.length / seconds,
        late: gaps.filter((gap) => gap > 25).length,
        longest: Math.max(0, ...gaps),
        median: quantile(work, 0.5),
        p99: quantile(work, 0.99),
        most: Math.max(...work),
        within: (work.filter((ms) => ms <= 1000 / 60).length / work.length) * 100,
        main: spent.main / seconds / 10,
        drawing: spent.drawing / seconds / 10,
        loaded,
    };
}
