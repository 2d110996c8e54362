package io.drayage.compressor;

import java.util.List;

final class CompressorsTest extends CompressorBattery {
  @Override
  List<Compressor> compressors() {
    // The one that is left out never compresses: its segments are stored as they are.
    return Compressors.all().stream().filter(c -> c.id() != Compressor.STORED_ID).toList();
  }
}
