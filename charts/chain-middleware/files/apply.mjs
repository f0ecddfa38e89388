// Applies RESOURCES, a list in base64. Their kind may be so new that the API server does not serve it yet.
import { readFile } from 'node:fs/promises';

const { RESOURCES, API_SERVER, TOKEN_FILE, TIMEOUT_SECONDS } = process.env;
const deadline = Date.now() + 1000 * Number(TIMEOUT_SECONDS);
const INVALID = [400, 409, 422];
for (const resource of JSON.parse(Buffer.from(RESOURCES, 'base64').toString())) {
  const { name, namespace } = resource.metadata;
  for (;;) {
    const said = await apply(resource);
    if (said.status === 200 || said.status === 201) {
      process.stdout.write(`Middleware ${namespace}/${name} applied\n`);
      break;
    }
    if (INVALID.includes(said.status) || Date.now() > deadline) {
      process.stderr.write(`Middleware ${namespace}/${name}: ${said.text}\n`);
      process.exit(1);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function apply(resource) {
  const { name, namespace } = resource.metadata;
  const url = new URL(`/apis/${resource.apiVersion}/namespaces/${namespace}/middlewares/${name}`, API_SERVER);
  url.search = 'fieldManager=helm&force=true&fieldValidation=Strict';
  try {
    const response = await fetch(url, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${await readFile(TOKEN_FILE, 'utf8')}`,
        'content-type': 'application/apply-patch+yaml',
      },
      body: JSON.stringify(resource),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    return { status: response.status, text: response.ok ? '' : messageOf(text) };
  } catch (error) {
    return { status: 0, text: String(error.cause ?? error) };
  }
}

function messageOf(text) {
  try {
    return JSON.parse(text).message;
  } catch {
    return text;
  }
}
