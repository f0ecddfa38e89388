// Asks each of QUERY_URLS until it answers 200, and shows what it said.
const deadline = Date.now() + 1000 * Number(process.env.QUERY_TIMEOUT_SECONDS);
for (const url of process.env.QUERY_URLS.split(' ')) {
  for (;;) {
    const said = await ask(url);
    if (said.ok) {
      process.stdout.write(`${url} ${said.text}\n`);
      break;
    }
    if (Date.now() > deadline) {
      process.stderr.write(`${url} ${said.text}\n`);
      process.exit(1);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function ask(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    return { ok: response.status === 200, text: `${response.status} ${(await response.text()).slice(0, 300)}` };
  } catch (error) {
    return { ok: false, text: String(error.cause ?? error) };
  }
}
