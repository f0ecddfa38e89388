import { reloadCrashes } from '../support/reload-crashes.js';

reloadCrashes({ every: 11 });
