package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;

/** The smallest cargo of TPC-H. Making one takes seconds, whatever its size: all tests share it. */
public final class SmallTpchCargo {
  /** Its seed. */
  public static final long SEED = 42;

  static final TpchCargo SOURCE = new TpchCargo(TpchCargo.MIN_SCALE_FACTOR, SEED);

  private SmallTpchCargo() {}

  /** Made by the first who asks. */
  private static final class Made {
    static final ChangeCargo CARGO = SOURCE.load();
  }

  /** The one cargo. */
  public static ChangeCargo get() {
    return Made.CARGO;
  }
}
