package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;

/** The smallest cargo of TPC-H, shared by all tests, because making any cargo takes seconds. */
public final class SmallTpchCargo {
  /** The seed of the cargo. */
  public static final long SEED = 42;

  static final TpchCargo SOURCE = new TpchCargo(TpchCargo.MIN_SCALE_FACTOR, SEED);

  private SmallTpchCargo() {}

  /** Made at the first access. */
  private static final class Made {
    static final ChangeCargo CARGO = SOURCE.load();
  }

  /** The one cargo. */
  public static ChangeCargo get() {
    return Made.CARGO;
  }
}
