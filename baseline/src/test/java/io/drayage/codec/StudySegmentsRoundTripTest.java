package io.drayage.codec;

import org.junit.jupiter.api.Tag;

/** The serializers of this module are found there, too. */
@Tag("nightly")
class StudySegmentsRoundTripTest extends SegmentsRoundTripTest {}
