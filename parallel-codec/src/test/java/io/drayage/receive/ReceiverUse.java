package io.drayage.receive;

/** What a receiver's quota is in use for. */
public final class ReceiverUse {
  private ReceiverUse() {}

  /** The shipments that are being received or wait for their commit. */
  public static int shipmentsUnderWay(CargoReceiver receiver) {
    return receiver.shipmentsUnderWay();
  }

  /** Raw bytes of their cargoes, as far as those are in memory. */
  public static long receivingBytes(CargoReceiver receiver) {
    return receiver.receivingBytes();
  }
}
