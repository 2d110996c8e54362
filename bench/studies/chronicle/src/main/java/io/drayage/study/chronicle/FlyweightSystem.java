package io.drayage.study.chronicle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Fields at fixed offsets of an array, as in a flyweight, without a library. */
final class FlyweightSystem implements MarketDataSystem {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int BYTES = 144;

  private final byte[] bytes = new byte[BYTES];

  private void put(int offset, double value) {
    DOUBLE.set(bytes, offset, value);
  }

  private double getDouble(int offset) {
    return (double) DOUBLE.get(bytes, offset);
  }

  @Override
  public MarketData newObject() {
    return new MarketData();
  }

  @Override
  public long write(MarketData data) {
    LONG.set(bytes, 0, data.securityId);
    LONG.set(bytes, 8, data.time);
    put(16, data.bidQty0);
    put(24, data.bidQty1);
    put(32, data.bidQty2);
    put(40, data.bidQty3);
    put(48, data.askQty0);
    put(56, data.askQty1);
    put(64, data.askQty2);
    put(72, data.askQty3);
    put(80, data.bidPrice0);
    put(88, data.bidPrice1);
    put(96, data.bidPrice2);
    put(104, data.bidPrice3);
    put(112, data.askPrice0);
    put(120, data.askPrice1);
    put(128, data.askPrice2);
    put(136, data.askPrice3);
    return BYTES;
  }

  @Override
  public MarketData read(MarketData data) {
    data.securityId = (long) LONG.get(bytes, 0);
    data.time = (long) LONG.get(bytes, 8);
    data.bidQty0 = getDouble(16);
    data.bidQty1 = getDouble(24);
    data.bidQty2 = getDouble(32);
    data.bidQty3 = getDouble(40);
    data.askQty0 = getDouble(48);
    data.askQty1 = getDouble(56);
    data.askQty2 = getDouble(64);
    data.askQty3 = getDouble(72);
    data.bidPrice0 = getDouble(80);
    data.bidPrice1 = getDouble(88);
    data.bidPrice2 = getDouble(96);
    data.bidPrice3 = getDouble(104);
    data.askPrice0 = getDouble(112);
    data.askPrice1 = getDouble(120);
    data.askPrice2 = getDouble(128);
    data.askPrice3 = getDouble(136);
    return data;
  }
}
