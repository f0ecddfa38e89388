import { eventsSoak } from '../support/events-soak.js';

eventsSoak({ seconds: Number(process.env.SOAK_SECONDS ?? 60), clients: 200 });
