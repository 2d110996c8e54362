package io.drayage.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Bytes of different kinds; every call gives the same. */
public enum SampleBytes {
  ZEROS {
    @Override
    public byte[] ofBytes(int bytes) {
      return new byte[bytes];
    }
  },

  /** Cannot be compressed. */
  RANDOM {
    @Override
    public byte[] ofBytes(int bytes) {
      byte[] sample = new byte[bytes];
      new Random(SEED).nextBytes(sample);
      return sample;
    }
  },

  /** A few different words, in random order. */
  TEXT {
    @Override
    public byte[] ofBytes(int bytes) {
      String[] words = {"cargo", "crane", "haul", "quay", "the", "of", "1994-06-16", "42.17", "\n"};
      Random random = new Random(SEED);
      StringBuilder text = new StringBuilder(bytes + 16);
      while (text.length() < bytes) {
        text.append(words[random.nextInt(words.length)]).append(' ');
      }
      return Arrays.copyOf(text.toString().getBytes(StandardCharsets.ISO_8859_1), bytes);
    }
  };

  public static final long SEED = 19;

  public abstract byte[] ofBytes(int bytes);
}
