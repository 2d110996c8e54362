package io.drayage.receive;

/** The current use of a receiver's quota. */
public final class ReceiverUse {
  private ReceiverUse() {}

  /** The shipments that are being received or wait for their commit. */
  public static int shipmentsUnderWay(CargoReceiver receiver) {
    return receiver.shipmentsUnderWay();
  }

  /** Raw bytes of their cargoes in memory. */
  public static long receivingBytes(CargoReceiver receiver) {
    return receiver.receivingBytes();
  }
}
