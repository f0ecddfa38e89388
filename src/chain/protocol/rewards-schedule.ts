/**
 * Heights at which the coinbase changes by one coin, exact for every height of the main network. They are written as differences between
 * neighbours, which takes a third of the space.
 */

/** Distances between the rises; `2x15` is fifteen times the distance 2. */
const RISING = `
  1 3 2x34 3 2x35 3 2x34 3 2x36 3 2x35 3 2x36 3 2x36 3 2x37 3 2x38 3 2x39 3 2x39 3 2x41 3 2x19`;

/** Distances between the falls, in base 36. */
const FALLING = `
  331 15m yh us sf qq pg of nl mw ma ls lc kx kk ka jy jq jh ja j2 iw iq il if ib i7 i2 hz hv hs hp hn hj hi hf hd
  hb ha h7 h7 h4 h4 h2 h2 h0 h0 gy gy gy gx gw gw gw gw gv gv gv gw gv gv gw gv gw gx gw gy gx gy gz gz h0 h1 h1
  h2 h3 h3 h5 h5 h7 h7 h9 h9 hb hb hd he hg hg hi hj hl hl ho hp hq hs ht hv hw hy i0 i2 i3 i5 i7 i8 ib ic ie ig
  ij ik im io iq it iu ix iz j1 j3 j6 j8 jb jc jg jh jk jn jp js jv jx jz k3 k5 k8 ka ke kg kk km kp ks kw ky l1
  l5 l8 lb le lh ll lo ls lv ly m2 m6 m9 md mg mk mo ms mv n0 n3 n7 nb ng nj nn ns nw o0 o5 o9 od oh on or ov p0
  p5 p9 pf pj po pt py q3 q9 qd qj qo qu qy r5 ra rf rm rr rw s3 s9 se sl sr sx t3 ta tg tn tt u0 u6 ue uk ur uy
  v6 vc vk vs vz w6 we wm wu x1 xa xi xq xy y7 yf yo yx z6 ze zo zx 106 10f 10q 10z 118 11j 11t 122 12e 12n 12z
  139 13j 13v 146 14i 14t 154 15g 15t 164 16g 16u 175 17j 17v 189 18m 18z 19d 19s 1a5 1ak 1ay 1bd 1br 1c7 1cn 1d2
  1di 1dy 1ef 1ev 1fc 1ft 1ga 1gs 1ha 1hs 1ib 1it 1jd 1jw 1kg 1kz 1ll 1m4 1mq 1nb 1nx 1oj 1p5 1pt 1qf 1r3 1rs 1sf
  1t5 1tu 1uj 1va 1w0 1ws 1xj 1yc 1z4 1zy 20r 21l 22g 23c 248 255 261 270 27y 28y 29y 2ay 2c0 2d2 2e5 2f9 2gd 2hj
  2ip 2jx 2l4 2me 2no 2oz 2qb 2ro 2t2 2ui 2vy 2xg 2z0 30j 325 33s 35g 376 38y 3aq 3ck 3eh 3gf 3ie 3kf 3mj 3oo 3qw
  3t4 3vg 3xu 40a 42t 45e 481 4as 4dk 4gh 4jg 4mj 4po 4sx 4w9 4zq 53a 56y 5aq 5eo 5io 5mv 5r6 5vm 608 64z 69y 6f1
  6kb 6pt 6vh 71e 77h 7dv 7kg 7rb 7yf 85v 8dl 8lm 8u1 92r 9bw 9lf 9ve a5s agq as4 b43 bgm btt c7n cm7 d1j dhn dyp
  egn ezm fjq g4z grk hfh i4y iw3 joy kjt lgs mg5 ni1 oms pun r60 sl7 u4o vsx xml zm8 11sp 146w 16tu 19qv 1cze
  1gl9 1kmk 1p5z 1uan 204i 26sf 2egn 2ncx 2xrf 3a1c 3oob 46c4 4rxm 5irb 6gow 7ojr 9aq2 biea enz0 jeje r1eb 14ngu
  1x3qp 44w2k`;

/** From each of these heights on, the coinbase is one coin higher: 1, 2, 3 … 473. */
export const RISES: readonly number[] = heights(
  splitWords(RISING).flatMap((word) => {
    const [distance, times = '1'] = word.split('x');
    return Array<number>(Number(times)).fill(Number(distance));
  }),
);

/** From each of these heights on, the coinbase is one coin lower: 472, 471 … 0. */
export const FALLS: readonly number[] = heights(splitWords(FALLING).map((word) => parseInt(word, 36)));

function splitWords(text: string): string[] {
  return text.trim().split(/\s+/);
}

function heights(distances: readonly number[]): number[] {
  let height = 0;
  return distances.map((distance) => (height += distance));
}
