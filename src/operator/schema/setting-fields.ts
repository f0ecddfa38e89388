import { z } from 'zod';
import { boundsOf, DEPTH } from '../../config/checks.js';
import type { Setting } from '../../config/settings.js';
import { described, rules } from './parts.js';

/** Fields of the resource that are settings of the middleware: their default, bounds and text are those of the table of settings. */

/** Text of the field of a setting. */
export const helpOf = ({ help }: Setting): string => `${help}.`;

const fallbackOf = ({ fallback, fieldFallback }: Setting): string | undefined => fieldFallback ?? fallback;

const integer = (setting: Setting) => {
  const { min, max } = boundsOf(setting.check);
  return z.int().min(min).max(max);
};

export const integerField = (setting: Setting & { fallback: string }) =>
  described(integer(setting).default(Number(fallbackOf(setting))), helpOf(setting));

export const optionalIntegerField = (setting: Setting) => described(integer(setting).optional(), helpOf(setting));

/** A depth in key blocks is a number, also in quotes; one in time is a text. */
export const depthField = (setting: Setting & { fallback: string }) => {
  const message = `must be ${DEPTH.allowed}`;
  return described(
    z
      .union([z.string(), z.number()])
      .refine((value) => DEPTH.form.test(String(value)), message)
      .meta({ maxLength: 10 })
      .default(Number(fallbackOf(setting))),
    helpOf(setting),
    {
      'x-kubernetes-int-or-string': true,
      ...rules({ rule: `string(self).matches(${JSON.stringify(DEPTH.form.source)})`, message }),
    },
  );
};

export const choiceField = <T extends string>(
  setting: Omit<Setting, 'check'> & { fallback: NoInfer<T>; check: z.ZodEnum<Record<T, T>> },
) => described(z.enum(setting.check.options).default(setting.fallback), helpOf(setting));
