import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { OperatorModel } from '../support/operator-model.js';
import { describeWith, missingTools, tool } from '../support/kube-tools.js';

const PAGE = readFileSync(new URL('../../docs/gitops.md', import.meta.url), 'utf8');
const SCRIPT = /```lua\n([^]*?)```/.exec(PAGE)![1]!;

/** A value as a Lua table. */
const lua = (value: unknown): string => {
  if (Array.isArray(value)) return `{${value.map(lua).join(', ')}}`;
  if (typeof value !== 'object' || value === null) return value === null ? 'nil' : JSON.stringify(value);
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${fields.map(([name, one]) => `[${JSON.stringify(name)}] = ${lua(one)}`).join(', ')}}`;
};

describeWith(missingTools('lua5.4'), 'The health that Argo CD shows by the script of docs/gitops.md', () => {
  const healthOf = (obj: unknown): { health: string; message: string } => {
    const program = `obj = ${lua(obj)}\nlocal hs = (function()\n${SCRIPT}end)()\nprint(hs.status)\nprint(hs.message)`;
    const [health = '', ...message] = execFileSync(tool('lua5.4')!, ['-'], { input: program }).toString().split('\n');
    return { health, message: message.join('\n').trim() };
  };
  const shown = (model: OperatorModel): { health: string; message: string } => healthOf(model.resource());
  const settled = (options: ConstructorParameters<typeof OperatorModel>[0] = {}): OperatorModel => {
    const model = new OperatorModel(options);
    model.settle();
    return model;
  };

  it('is Progressing until the operator has seen the generation', () => {
    expect(shown(new OperatorModel()).health).to.equal('Progressing');
    const model = settled();
    model.generation++;
    expect(shown(model)).to.deep.equal({ health: 'Progressing', message: 'The operator has not seen it yet' });
  });

  it('is Progressing while something is in progress, and then Healthy', () => {
    const model = new OperatorModel();
    model.pass();
    expect(shown(model).health).to.equal('Progressing');
    model.settle();
    expect(shown(model)).to.deep.equal({ health: 'Healthy', message: 'Everything is as the resource asks for' });
  });

  it('is Healthy while a reload waits for a person, with a message about it', () => {
    const model = settled();
    model.reload({ id: 'again', promotion: 'Manual' });
    model.settle();
    const { health, message } = shown(model);
    expect(health).to.equal('Healthy');
    expect(message).to.match(/promot/i);
  });

  it('is Degraded when something blocks progress', () => {
    const model = settled();
    model.secret = { reason: 'SecretMissing', message: 'Secret db is not there' };
    model.pass();
    expect(shown(model)).to.deep.equal({ health: 'Degraded', message: 'Secret db is not there' });
  });

  it('is Suspended while the resource is paused', () => {
    const model = settled();
    model.spec = { ...model.spec, paused: true };
    model.generation++;
    model.pass();
    expect(shown(model).health).to.equal('Suspended');
  });
});
