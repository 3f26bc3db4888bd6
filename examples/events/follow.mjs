// Follows the jobs of an account and prints each change: node follow.mjs, with URL and KEY in the environment.
const { URL: url, KEY: key } = process.env;
let lastId = process.env.LAST_EVENT_ID ?? "";
let pause = 2000;

async function follow(show) {
  const answer = await fetch(`${url}/v1/events`, { headers: { "X-API-Key": key, "Last-Event-ID": lastId } });
  if (!answer.ok) throw new Error((await answer.json()).error);
  let text = "";
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const field = (name) => event.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
      lastId = field("id") ?? lastId;
      pause = Number(field("retry") ?? pause);
      if (field("event")) show(field("event"), JSON.parse(field("data")));
    }
  }
}

for (;;) {
  await follow((name, job) => console.log(name, job.id ?? job.hint)).catch((error) => console.error(error.message));
  await new Promise((resolve) => setTimeout(resolve, pause));
}
