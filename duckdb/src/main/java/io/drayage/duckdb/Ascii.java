package io.drayage.duckdb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Tells bytes that are the same in every encoding. */
final class Ascii {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final long BEYOND = 0x8080808080808080L;

  private Ascii() {}

  /** Whether {@code count} bytes from {@code from} on are ASCII. */
  static boolean isAscii(byte[] bytes, int from, int count) {
    long seen = 0;
    int at = from;
    int end = from + count;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      seen |= (long) LONGS.get(bytes, at);
    }
    for (; at < end; at++) {
      seen |= bytes[at];
    }
    return (seen & BEYOND) == 0;
  }
}
