package io.drayage.codec;

/** The same for the codecs of this module. */
class BaselineRoundTripTest extends RoundTripBatteryTest {}
