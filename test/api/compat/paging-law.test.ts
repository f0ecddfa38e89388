import { pagesOfEveryList } from '../../support/paging-law.js';

pagesOfEveryList();
