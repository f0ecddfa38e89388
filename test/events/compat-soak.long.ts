import { compatSoak } from '../support/compat-soak.js';

const { SOAK_SECONDS = '60', COMPAT_CLIENTS = '100' } = process.env;

compatSoak({ seconds: Number(SOAK_SECONDS), clients: Number(COMPAT_CLIENTS) });
