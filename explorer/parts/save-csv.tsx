/** A list as a file. */
import { useState } from 'preact/hooks';
import { readCsv } from '../api.js';
import type { Days } from '../days.js';
import { save as saveFile } from './csv.js';
import { Fault } from './read.js';

/**
 * A button, because a link cannot request CSV: the format is in a header. `urlFor`: of the list, of some days or of all; undefined if there is
 * nothing in these days.
 */
export function SaveCsv(props: {
  name: string;
  /** Whether the list can be cut by days. */
  byDays?: boolean;
  urlFor: (days: Days) => Promise<string | undefined>;
}) {
  const { name, byDays = true, urlFor } = props;
  const [days, setDays] = useState<Days>({ from: '', to: '' });
  const [isSaving, setSaving] = useState(false);
  const [isEmpty, setEmpty] = useState(false);
  const [failed, setFailed] = useState<{ error: unknown }>();
  const hasDays = days.from !== '' || days.to !== '';
  const save = async (): Promise<void> => {
    setSaving(true);
    setEmpty(false);
    setFailed(undefined);
    try {
      const url = await urlFor(days);
      const file = [name, days.from, days.to].filter((part) => part !== '').join('_');
      if (url === undefined) setEmpty(true);
      else saveFile(await readCsv(url), `${file}.csv`);
    } catch (error) {
      setFailed({ error });
    }
    setSaving(false);
  };
  return (
    <>
      {byDays && <Day name="From" at={days.from} set={(from) => setDays({ ...days, from })} />}
      {byDays && <Day name="to" at={days.to} set={(to) => setDays({ ...days, to })} />}
      <button class="btn" disabled={isSaving} onClick={() => void save()}>
        {isSaving ? 'Saving…' : hasDays ? 'Save these days as CSV' : 'Save all as CSV'}
      </button>
      <span class="quiet" role="status">
        {isEmpty && 'There are none in these days.'}
      </span>
      {failed && <Fault error={failed.error} again={() => void save()} />}
    </>
  );
}

const Day = ({ name, at, set }: { name: string; at: string; set: (day: string) => void }) => (
  <label>
    {name} <input class="btn" type="date" value={at} onInput={({ currentTarget }) => set(currentTarget.value)} />
  </label>
);
