import { isObject, parsePlain } from '../chain/encoding/json.js';
import type { Json } from '../chain/encoding/json.js';

/** Whether the call information of a transaction says that it did what it was made for: it, and all results inside it, ended with `ok`. */
export const hasSucceeded = (info: string): boolean => isOk(parsePlain(info));

/** Nodes before 3.0 return the result without a member around it. */
function isOk(info: Json | undefined): boolean {
  if (!isObject(info)) return true;
  const { return_type: type, call_info: call, ga_info: authentication, inner_object: inner } = info;
  return (type === undefined || type === 'ok') && [call, authentication, inner].every(isOk);
}
