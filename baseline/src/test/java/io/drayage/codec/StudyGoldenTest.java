package io.drayage.codec;

/** The serializers of this module are found there, too. */
class StudyGoldenTest extends GoldenCodecTest {}
