package io.drayage.codec;

/** Cargoes as streams. */
class StreamRoundTripTest extends RoundTripBattery {
  @Override
  Trip trip(CodecPair pair) {
    return new StreamTrip(pair);
  }

  /** Object streams write every NaN of an array of doubles with the canonical bits. */
  @Override
  boolean keepsNanPayloads(CodecPair pair) {
    return !pair.serializer().name().startsWith("java");
  }
}
