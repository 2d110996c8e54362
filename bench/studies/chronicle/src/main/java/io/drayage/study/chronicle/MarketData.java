package io.drayage.study.chronicle;

import net.openhft.chronicle.wire.SelfDescribingMarshallable;

/** The study's object of 18 numbers, 144 bytes. Chronicle writes it by reflection. */
public class MarketData extends SelfDescribingMarshallable {
  public long securityId;
  public long time;
  public double bidQty0;
  public double bidQty1;
  public double bidQty2;
  public double bidQty3;
  public double askQty0;
  public double askQty1;
  public double askQty2;
  public double askQty3;
  public double bidPrice0;
  public double bidPrice1;
  public double bidPrice2;
  public double bidPrice3;
  public double askPrice0;
  public double askPrice1;
  public double askPrice2;
  public double askPrice3;

  final double[] doubles() {
    return new double[] {
      bidQty0, bidQty1, bidQty2, bidQty3, askQty0, askQty1, askQty2, askQty3, bidPrice0, bidPrice1,
      bidPrice2, bidPrice3, askPrice0, askPrice1, askPrice2, askPrice3
    };
  }

  final void fill(long newSecurityId, long newTime, double[] doubles) {
    securityId = newSecurityId;
    time = newTime;
    bidQty0 = doubles[0];
    bidQty1 = doubles[1];
    bidQty2 = doubles[2];
    bidQty3 = doubles[3];
    askQty0 = doubles[4];
    askQty1 = doubles[5];
    askQty2 = doubles[6];
    askQty3 = doubles[7];
    bidPrice0 = doubles[8];
    bidPrice1 = doubles[9];
    bidPrice2 = doubles[10];
    bidPrice3 = doubles[11];
    askPrice0 = doubles[12];
    askPrice1 = doubles[13];
    askPrice2 = doubles[14];
    askPrice3 = doubles[15];
  }
}
