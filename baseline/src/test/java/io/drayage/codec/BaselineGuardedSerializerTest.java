package io.drayage.codec;

/** The same for the codecs of this module. */
class BaselineGuardedSerializerTest extends GuardedSerializerTest {}
