package io.drayage.codec;

/** The same for the codecs of this module. */
class BaselineLargestSegmentsTest extends LargestSegmentsTest {}
