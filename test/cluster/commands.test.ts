import { expect } from 'chai';
import { pause, resume } from '../../src/operator/plugin/actions.js';
import { changeMiddleware } from '../../src/operator/plugin/resources.js';
import { describeWith } from '../support/kube-tools.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';
import { tampered } from './support/tamper.js';

describeWith(missingPlane, 'a command that changes a resource', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    await scene.create('a');
  });
  after(() => scene.close());

  /** A cluster in which somebody else changes the resource before each of the first `times` writes. */
  let changes = 0;
  const contested = (times: number) => {
    let left = times;
    const { plane, namespace } = scene;
    const client = tampered(plane.client, {
      async before(_path, { method }) {
        if (method === 'PATCH' && left-- > 0)
          await scene.patch('Middleware', 'a', { metadata: { annotations: { other: String(changes++) } } });
      },
    });
    return { client, namespace };
  };
  const isPaused = async () => (await scene.get('Middleware', 'a'))?.spec;

  it('succeeds although somebody else changed the resource meanwhile', async () => {
    const { message } = await changeMiddleware(contested(3), 'a', pause);
    expect(message).to.match(/^a is paused/);
    expect(await isPaused()).to.include({ paused: true });
  });

  it('reads the resource again, and does not repeat what others have already done', async () => {
    let looks = 0;
    const { message, patch } = await changeMiddleware(contested(1), 'a', (resource) => {
      looks += 1;
      return looks === 1 ? resume(resource) : pause(resource);
    });
    expect([message, patch]).to.deep.equal(['a is already paused', undefined]);
    expect(await isPaused()).to.include({ paused: true });
  });

  it('reports a conflict when others never stop changing the resource', async () => {
    const failed = await changeMiddleware(contested(Infinity), 'a', resume).then(
      () => 'changed',
      ({ message }: Error) => message,
    );
    expect(failed).to.contain('the object has been modified');
    expect(await isPaused()).to.include({ paused: true });
  });
});
