/** The {@code plan} command: what systems would do on machines and links that we do not have. */
@NullMarked
package io.drayage.bench.plan;

import org.jspecify.annotations.NullMarked;
