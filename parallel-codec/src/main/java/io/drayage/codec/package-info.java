/** What serializers and compressors have in common: a name, a number, a registry. */
@NullMarked
package io.drayage.codec;

import org.jspecify.annotations.NullMarked;
